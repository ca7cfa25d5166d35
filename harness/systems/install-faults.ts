// Whose fault it is that packages could not be installed, or a revision or an image not be made. Only what the registry does not have, or
// what does not build, says something of a version; a search that took a machine without a network for bad versions would pass over all of them.
import { constants } from 'node:os';
import { problem, ProblemError } from '../model/problem.ts';

export type InstallFault = 'install-failed' | 'registry-unreachable' | 'cache-not-writable' | 'tool-missing' | 'tool-killed';

const anyOf = (patterns: readonly RegExp[], flags = ''): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'), flags);

/** What is called by its name and is there, but not what it is to be run by. What has a path may be the revision's own, and be wrong in this one. */
const NOT_RUN = [
  /^setpriv: failed to execute [^/\s]+: No such file/,
  /(?:^|[\s/])env: (?:can't execute )?[^\w\s]?[\w.+-]+[^\w\s\\]?: No such file/,
  /: \/[^\s^:]+: bad interpreter: No such file/,
];

/** As pip, npm, the children of either (git, compilers) and Maven say it, also of files that this machine's settings name. */
const TOOL = anyOf([
  /No module named '?pip\b/, /spawn \S+ ENOENT/, /Cannot find command '/, /unable to execute '/, /error: command '[^']+' failed: No such file/, /JAVA_HOME environment variable/,
  /Could not open requirements file/, /The specified (?:user|global) (?:settings|toolchains) file does not exist/, ...NOT_RUN,
], 'm');
const NOT_RUN_STEP = anyOf(NOT_RUN, 'm');

/** That somebody on the way was killed, as they say it who have waited for him (compilers, make, cargo, go, npm, git, Python, and what a shell makes of it); and no memory. */
const KILLED = anyOf([
  /Killed signal terminated program/, /internal compiler error: Killed/, /^make(?:\[\d+\])?: \*\*\* .*\] Killed$/,
  /\(signal: 9, SIGKILL/, /\bsignal: killed\b/, /\bsignal:? '?SIGKILL/, /killed with SIGKILL/, /died of signal 9\b/, /Signals\.SIGKILL/, /\b[Ee]xit(?:ed with)? (?:code|value|status):? (?:137|-9)\b/, /non-zero code: 137\b/,
  /\bENOMEM\b/, /\[Errno 12\]/, /Cannot allocate memory/, /virtual memory exhausted/, /fork: (?:retry: )?Resource temporarily unavailable/,
], 'm');

export const KILLED_HINT = 'is there memory enough, also in the container that this runs in? `dmesg` tells whom the kernel has ended for want of it';

const CACHE = /\b(?:EACCES|EROFS|ENOSPC|EDQUOT)\b|\[Errno (?:13|28|30|122)\]|No space left on device|AccessDeniedException|\(Permission denied\)/;

/** What a build must not write may be its own mistake; a full disk is not. */
const FULL = /\b(?:ENOSPC|EDQUOT)\b|\[Errno (?:28|122)\]|No space left on device/;

/** No connection, no name, no trust, no right, or an answer that is the server's own fault. */
const REGISTRY = anyOf([
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|E(?:SOCKET)?TIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EPIPE)\b/,
  /connection broken|NewConnectionError|Max retries exceeded|(?:Connect|Read)Timeout|Connection (?:refused|reset|timed out)|Network is unreachable|No route to host/,
  // Hosts; dependencies are what cannot be resolved where a version does not exist, or its peers do not agree.
  /Could not resolve (?:host|proxy|')|Unknown ?Host|name resolution|Temporary failure resolving|Name or service not known|no such host|dial tcp|i\/o timeout|TLS handshake timeout/,
  // As git, apt and pip (which says nothing else of an index that it asks only once) tell what they did not get.
  /unable to access '[a-z+]+:\/\/|Failed to connect to|Unable to connect to|unexpected disconnect|Host key verification failed/,
  /Failed to fetch .*\s(?:401|403|407|429|5\d\d)\s|Could not fetch URL (?!.*\b404 Client Error)/,
  /SSLError|CERT_|SELF_SIGNED|UNABLE_TO_|unable to verify the first certificate|PKIX path/,
  /\bcode E(?:401|403|407|429|5\d\d)\b|HTTP error (?:401|403|407|429|5\d\d)|Permission denied \(publickey/,
  /Could not transfer (?!.*Blocked mirror)/, /suitable TLS CA certificate bundle/,
], 'i');

/** The index answered, and has others: whatever went wrong on the way did not matter. */
const OTHER_VERSIONS = /\(from versions: (?!none\))/;

/** What was tried again and then worked is told as a warning; pip has no other place for a registry that never answered. */
const telling = (text: unknown): string =>
  String(text ?? '').split('\n').filter((line) => !/^(?:npm (?:warn|notice|http)|\[(?:INFO|WARNING)\])/i.test(line)).join('\n');

type Ended = { readonly code?: unknown; readonly signal?: unknown };

/** A shell, and a JVM that was told to end, make a number of it. */
const isEndedBy = (names: readonly ('SIGKILL' | 'SIGTERM')[], { code, signal }: Ended): boolean =>
  names.some((name) => signal === name || code === 128 + constants.signals[name]);

/** Signals that nobody sends to himself while he installs. */
const isEndedTool = (ended: Ended): boolean => ended.signal === 'SIGINT' || ended.signal === 'SIGHUP' || isEndedBy(['SIGKILL', 'SIGTERM'], ended);

/** @param ended a step of a build that we did not end. Scripts end themselves and all that they have started by milder signals. */
export const isKilledStep = (ended: Ended): boolean => isEndedBy(['SIGKILL'], ended);

/** @param cause what `spawn` or `execFile` throws @returns why this machine could not start a program at all, or null */
export const startFaultOf = (cause: Error): InstallFault | null => {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'tool-missing';
  if (/^(?:EAGAIN|ENOMEM|EMFILE|ENFILE)$/.test(String(code))) return 'tool-killed';
  return String(syscall).startsWith('spawn') && (code === 'EACCES' || code === 'ENOEXEC') ? 'tool-missing' : null;
};

/** By `env`, shells and `setpriv`: not found, or found and not to be run. npm, pip, Maven and git have no such codes of their own. */
const NOT_STARTED: readonly unknown[] = [126, 127];

/** @param cause what `execFile` throws, with what the tool has printed; a signal in it is not ours */
export const installFaultOf = (cause: unknown): InstallFault => {
  if (!(cause instanceof Error)) return 'install-failed';
  const { code, signal, killed, stdout, stderr } = cause as Ended & { readonly killed?: unknown; readonly stdout?: unknown; readonly stderr?: unknown };
  const start = startFaultOf(cause);
  if (start !== null) return start;
  if (killed === true) return 'registry-unreachable';
  if (isEndedTool({ code, signal })) return 'tool-killed';
  const text = [typeof code === 'string' ? code : '', telling(stdout), telling(stderr)].join('\n');
  if (NOT_STARTED.includes(code) || TOOL.test(text)) return 'tool-missing';
  if (KILLED.test(text)) return 'tool-killed';
  if (CACHE.test(text)) return 'cache-not-writable';
  return REGISTRY.test(text) && !OTHER_VERSIONS.test(text) ? 'registry-unreachable' : 'install-failed';
};

/** Of a step of a build, which prints what it likes: how it ended says why. */
const LAST_LINES = 20;

const endOf = (log: string): string => telling(log.trimEnd().split('\n').slice(-LAST_LINES).join('\n'));

const faultIn = (end: string): InstallFault => {
  if (FULL.test(end)) return 'cache-not-writable';
  if (KILLED.test(end)) return 'tool-killed';
  return REGISTRY.test(end) && !OTHER_VERSIONS.test(end) ? 'registry-unreachable' : 'install-failed';
};

/** @param log what a command of the card's `build` printed @returns whether it lacked what this machine could not reach or does not have, or room */
export const buildFaultOf = (log: string): InstallFault => {
  const end = endOf(log);
  return NOT_RUN_STEP.test(end) ? 'tool-missing' : faultIn(end);
};

/** An image that was not built, since this machine could not reach what goes into it, is no fault of what was to be built. @returns the error, or what it is instead */
export const imageFaultOf = (error: unknown): unknown => {
  const [first] = error instanceof ProblemError ? error.problems : [];
  if (first?.code !== 'image-not-built') return error;
  const { message, hint, cause } = first;
  const own = installFaultOf(cause);
  // What is missing within it is its recipe's mistake.
  const fault = own === 'install-failed' ? faultIn(endOf(`${message}\n${hint ?? ''}`)) : own;
  return fault === 'install-failed' ? error : problem('environment', fault, message, { ...(hint === undefined ? {} : { hint }), cause: error });
};
