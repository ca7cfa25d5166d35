// What a stage of plain processes must not find of its machine: a socket with a path is a thing of the file system, and no network
// namespace holds it back. Who looks names up for others would ask outside for the system, and nobody would hear of it; an engine
// or a bus starts what is in no stage. Other sockets (a database's) are as reachable as other files are.
import { quoted } from '../model/shell-words.ts';

/** Below /run. Covered by an empty folder of the stage's own, whether there is a socket now or comes to be later. */
const FOLDERS = [
  // Names and users: systemd-resolved, nscd, Avahi, nslcd.
  'systemd', 'nscd', 'avahi-daemon', 'nslcd',
  'dbus', 'docker', 'containerd', 'podman', 'crio', 'buildkit',
  // Not the whole of it: some keep their programs there (fnm), some their temporary files.
  'user/*/systemd', 'user/*/podman',
];
const SOCKETS = ['docker.sock', 'user/*/bus', 'user/*/docker.sock'];
/** Where an engine is elsewhere, these say so: `unix:///path`. */
const VARIABLES = ['DOCKER_HOST', 'CONTAINER_HOST'];

const named = (environment: NodeJS.ProcessEnv): readonly string[] =>
  VARIABLES.flatMap((name) => /^unix:\/\/(\/.+)$/.exec(environment[name] ?? '')?.[1] ?? []).map(quoted);

/**
 * Lines for the shell that prepares the mounts of a stage. What is not there, or may not be covered, stays as it is.
 * Mostly resolv.conf is a link to what systemd-resolved keeps below /run: its place is made anew, so that something can be put there.
 */
export const hideSockets = (environment: NodeJS.ProcessEnv): string => `{
names=$(readlink -f /etc/resolv.conf); [ -e "$names" ] || names=
for run in /run /var/run; do
  [ "$run" = /var/run ] && [ /run -ef /var/run ] && continue
  for path in ${FOLDERS.map((folder) => `"$run"/${folder}`).join(' ')}; do [ -d "$path" ] && mount -t tmpfs -o mode=755 tmpfs "$path"; done
  for path in ${SOCKETS.map((socket) => `"$run"/${socket}`).join(' ')}; do [ -S "$path" ] && mount --bind /dev/null "$path"; done
done
for path in ${named(environment).join(' ')}; do [ -S "$path" ] && mount --bind /dev/null "$path"; done
[ -n "$names" ] && [ ! -e "$names" ] && mkdir -p "$(dirname "$names")" && : > "$names"
} 2>/dev/null`;
