// Whose fault it is that packages could not be installed, or a revision or an image not be made. Only what the registry does not have, or
// what does not build, says something of a version; a search that took a machine without a network for bad versions would pass over all of them.
import { problem, ProblemError } from '../model/problem.ts';

export type InstallFault = 'install-failed' | 'registry-unreachable' | 'cache-not-writable' | 'tool-missing';

/** As pip, npm, the children of either (git, compilers) and Maven say it. */
const TOOL = new RegExp([
  /No module named '?pip\b/, /spawn \S+ ENOENT/, /Cannot find command '/, /unable to execute '/, /error: command '[^']+' failed: No such file/, /JAVA_HOME environment variable/,
].map(({ source }) => source).join('|'));

const CACHE = /\b(?:EACCES|EROFS|ENOSPC|EDQUOT)\b|\[Errno (?:13|28|30|122)\]|No space left on device|AccessDeniedException|\(Permission denied\)/;

/** What a build must not write may be its own mistake; a full disk is not. */
const FULL = /\b(?:ENOSPC|EDQUOT)\b|\[Errno (?:28|122)\]|No space left on device/;

/** No connection, no name, no trust, no right, or an answer that is the server's own fault. */
const REGISTRY = new RegExp([
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|E(?:SOCKET)?TIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EPIPE)\b/,
  /connection broken|NewConnectionError|Max retries exceeded|(?:Connect|Read)Timeout|Connection (?:refused|reset|timed out)|Network is unreachable|No route to host/,
  // Hosts; dependencies are what cannot be resolved where a version does not exist, or its peers do not agree.
  /Could not resolve (?:host|proxy|')|Unknown ?Host|name resolution|Temporary failure resolving|Name or service not known|no such host|dial tcp|i\/o timeout|TLS handshake timeout/,
  // As git, apt and pip (which says nothing else of an index that it asks only once) tell what they did not get.
  /unable to access '[a-z+]+:\/\/|Failed to connect to|Unable to connect to|unexpected disconnect|Host key verification failed/,
  /Failed to fetch .*\s(?:401|403|407|429|5\d\d)\s|Could not fetch URL (?!.*\b404 Client Error)/,
  /SSLError|CERT_|SELF_SIGNED|UNABLE_TO_|unable to verify the first certificate|PKIX path/,
  /\bcode E(?:401|403|407|429|5\d\d)\b|HTTP error (?:401|403|407|429|5\d\d)|Permission denied \(publickey/,
  /Could not transfer (?!.*Blocked mirror)/,
].map(({ source }) => source).join('|'), 'i');

/** The index answered, and has others: whatever went wrong on the way did not matter. */
const OTHER_VERSIONS = /\(from versions: (?!none\))/;

/** What was tried again and then worked is told as a warning; pip has no other place for a registry that never answered. */
const telling = (text: unknown): string =>
  String(text ?? '').split('\n').filter((line) => !/^(?:npm (?:warn|notice|http)|\[(?:INFO|WARNING)\])/i.test(line)).join('\n');

/** @param cause what `execFile` throws, with what the tool has printed */
export const installFaultOf = (cause: unknown): InstallFault => {
  if (!(cause instanceof Error)) return 'install-failed';
  const { code, killed, stdout, stderr } = cause as { readonly code?: unknown; readonly killed?: unknown; readonly stdout?: unknown; readonly stderr?: unknown };
  if (code === 'ENOENT') return 'tool-missing';
  if (killed === true) return 'registry-unreachable';
  const text = `${telling(stdout)}\n${telling(stderr)}`;
  if (TOOL.test(text)) return 'tool-missing';
  if (CACHE.test(text)) return 'cache-not-writable';
  return REGISTRY.test(text) && !OTHER_VERSIONS.test(text) ? 'registry-unreachable' : 'install-failed';
};

/** Of a step of a build, which prints what it likes: how it ended says why. */
const LAST_LINES = 20;

/** @param log what a command of the card's `build` printed @returns whether it lacked what this machine could not reach, or room */
export const buildFaultOf = (log: string): InstallFault => {
  const end = telling(log.trimEnd().split('\n').slice(-LAST_LINES).join('\n'));
  if (FULL.test(end)) return 'cache-not-writable';
  return REGISTRY.test(end) && !OTHER_VERSIONS.test(end) ? 'registry-unreachable' : 'install-failed';
};

/** An image that was not built, since this machine could not reach what goes into it, is no fault of what was to be built. @returns the error, or what it is instead */
export const imageFaultOf = (error: unknown): unknown => {
  const [first] = error instanceof ProblemError ? error.problems : [];
  if (first?.code !== 'image-not-built') return error;
  const { message, hint, cause } = first;
  const own = installFaultOf(cause);
  const fault = own === 'install-failed' ? buildFaultOf(`${message}\n${hint ?? ''}`) : own;
  return fault === 'install-failed' ? error : problem('environment', fault, message, { ...(hint === undefined ? {} : { hint }), cause: error });
};
