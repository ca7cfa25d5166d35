// What this machine lets a plain process make: network and pid namespaces as root, the same
// inside a user namespace, or neither. And the command line that starts a stage in them.
import { spawnSync } from 'node:child_process';
import { join, extname } from 'node:path';
import { quoted } from '../model/shell-words.ts';
import { searchPath } from './environment.ts';
import { hideSockets } from './hidden-sockets.ts';
import { ahead } from './priority.ts';
import type { StagePlan } from './runtime.ts';
import { coverFolder } from './stage-folder.ts';

export type Isolation = {
  readonly kind: 'namespace' | 'loopback';
  /** Flags that `unshare` needs before everything else. */
  readonly user: readonly string[];
  readonly why: string;
  readonly hint?: string;
};

const TRY_LIMIT_MS = 5_000;
const HOST = join(import.meta.dirname, `stage-host${extname(import.meta.filename)}`);
const INNER = ['--net', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'] as const;

/** Runs a program quietly; its first line of complaint, or null when it went well. */
export const complaintOf = (program: string, args: readonly string[]): string | null => {
  const run = spawnSync(program, args, {
    encoding: 'utf8', timeout: TRY_LIMIT_MS, env: { PATH: searchPath() }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.error) return 'code' in run.error && run.error.code === 'ENOENT' ? `${program} is not installed` : run.error.message;
  if (run.status === 0) return null;
  return run.stderr.trim().split('\n')[0] || `${program} ended with ${run.signal ?? `code ${run.status}`}`;
};

const USER = ['--user', '--map-root-user'] as const;
const ways = (): readonly (readonly string[])[] => (process.getuid?.() === 0 ? [[], USER] : [USER]);

const loopback = (why: string, hint: string): Isolation => ({ kind: 'loopback', user: [], why: `plain loopback: ${why}`, hint });

const tryOut = (): Isolation => {
  const missing = complaintOf('ip', ['-V']);
  if (missing !== null) return loopback(missing, 'install iproute2, so that a stage can have a network of its own');
  let why = '';
  for (const user of ways()) {
    const complaint = complaintOf('unshare', [...user, ...INNER, 'true']);
    if (complaint === null) {
      return { kind: 'namespace', user, why: `network and pid namespaces${user.length > 0 ? ' in a user namespace' : ''}` };
    }
    why ||= complaint;
  }
  return loopback(why, 'allow network and pid namespaces (root, or unprivileged user namespaces), or use --runtime docker');
};

let found: Isolation | undefined;

/** Tries it out, once: policies of kernels and containers are too many to be read. Some 10 ms. */
export const findIsolation = (): Isolation => (found ??= tryOut());

let hasSetpriv: boolean | undefined;

/**
 * The words before a command that gets this signal from the kernel when the harness dies; none where there is no `setpriv` that
 * knows of it (busybox, util-linux before 2.33). A stage's end is then that of its standard input.
 */
export const deathSignal = (signal: 'KILL' | 'TERM' = 'KILL'): readonly string[] => {
  const words = ['setpriv', '--pdeathsig', signal];
  hasSetpriv ??= complaintOf('setpriv', [...words.slice(1), 'true']) === null;
  return hasSetpriv ? words : [];
};

/**
 * Small tables of connections: those of the parent namespace are walked on each read of /proc/net/tcp (3.5 ms
 * against 0.06 ms), and a new namespace takes its size from its parent's setting. So there is a namespace
 * in the middle, which exists for this setting alone. Kernels before 6.1 have no such setting.
 */
const SMALL_TABLES = '(echo 1024 > /proc/sys/net/ipv4/tcp_child_ehash_entries) 2>/dev/null';

/**
 * Shared memory of the stage's own: what a killed process leaves there by its name goes with the stage, and meets nobody else's. Folders stay,
 * since shared memory is never one: somebody has a RAM disk there, with the stage's own folder in it or what it runs. They are reached by the
 * number of what has been covered, so their path is to be taken as it is (`-c`; where there is no such word it is).
 */
const OWN_MEMORY =
  '{ mount -t tmpfs tmpfs /dev/shm && for own in /proc/self/fd/9/*/ /proc/self/fd/9/.[!.]*/; do [ -d "$own" ] || continue; own=${own%/}; '
  + 'mkdir "/dev/shm/${own##*/}" && { mount -c --bind "$own" "/dev/shm/${own##*/}" || mount --bind "$own" "/dev/shm/${own##*/}"; }; done; } 2>/dev/null 9</dev/shm';

/** Names are asked of the stage itself (see stage-names.ts). Where there is no such file the C library asks there anyway. */
const OWN_NAMES =
  '(echo nameserver 127.0.0.1 > /dev/shm/names && mount --bind /dev/shm/names /etc/resolv.conf; rm -f /dev/shm/names) 2>/dev/null';

type Place = Pick<StagePlan, 'runId' | 'folder'>;

/** Who would look names up for the system is gone before its own names are put there. */
const prepared = (place: Place): string =>
  [SMALL_TABLES, OWN_MEMORY, `cd ${quoted(place.folder)}`, hideSockets(process.env), OWN_NAMES, coverFolder(place)].filter((line) => line !== '').join('; ');

/** The command that becomes the stage host, in the stage's folder. */
export const stageCommand = (isolation: Isolation, place: Place): readonly [string, ...string[]] => {
  const host = [process.execPath, '--disable-warning=ExperimentalWarning', HOST];
  const namespaces = isolation.kind === 'loopback'
    ? []
    : ['unshare', ...isolation.user, '--net', '--mount', 'sh', '-c', `${prepared(place)}; exec "$@"`, 'stage', 'unshare', ...INNER];
  const [program, ...args] = [...deathSignal(), ...ahead(), ...namespaces, ...host];
  return [program!, ...args];
};
