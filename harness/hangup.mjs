#!/usr/bin/env node
// The command's entry. Needs no particular Node: it finds one >= 24 (its own, or the one that comes
// with the repository as the `node` package) and says what to do where there is none.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const here = dirname(fileURLToPath(import.meta.url));
// Sources in a clone, even where packing has left its .js beside them; stripped .js in the published package,
// which has no sources, since Node strips no types below node_modules.
const main = ['main.ts', 'main.js'].map((name) => join(here, name)).find((path) => existsSync(path));

const isFit = Number(process.versions.node.split('.')[0]) >= MAJOR;

const findNode = () => {
  let folder = join(here, '..');
  for (;;) {
    const candidate = join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
};

/** Keeps what Node makes of the sources (stripped and compiled) for the next start, beside what the actors keep. */
const keepCompiled = () => {
  try {
    module.enableCompileCache(
      process.env.NODE_COMPILE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hangup', 'compiled'),
    );
  } catch {
    // No home folder: it starts as well without, only later.
  }
};

/**
 * A night is long: glibc gives back what was freed, of every size and by every thread, so that memory tells of what is held and not of
 * the most that there ever was at once. It asks for these when a process begins, and never again.
 */
const GIVES_BACK = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };
const isNight = process.platform === 'linux' && process.argv.slice(2).find((word) => !word.startsWith('-')) === 'soak';

const runUnder = async (node) => {
  const { spawn } = await import('node:child_process');
  // A session of its own, so that Ctrl-C reaches the harness exactly once: from here. The channel
  // lets it notice that this process was killed, and end as it would have.
  const flags = node === process.execPath ? process.execArgv : [];
  const child = spawn(node, [...flags, main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...(isNight ? GIVES_BACK : {}), ...process.env, HANGUP_WRAPPED: '1' },
  });
  // Said through the channel: whoever tells a whole unit to stop has told the child already, and twice means at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (child.connected ? child.send(signal) : child.kill(signal)));
  process.on('SIGQUIT', () => child.kill('SIGQUIT'));
  process.on('SIGTSTP', () => {
    child.kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  });
  process.on('SIGCONT', () => child.kill('SIGCONT'));
  child.on('error', (error) => {
    console.error(`hangup: cannot start ${node}: ${error.message}`);
    process.exitCode = FAULT;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (child.connected) child.disconnect();
  });
};

/** No revision is bad because there is no Node: 128 stops `git bisect run`. */
const FAULT = process.argv.includes('--git-bisect') ? 128 : 3;
const isVersionAsked = process.argv.length === 3 && process.argv[2] === '--version';

if (isVersionAsked) {
  // Any Node can tell that, without a program being loaded for it.
  console.log(JSON.parse(readFileSync(join(here, '..', 'package.json'), 'utf8')).version);
} else if (isFit && !isNight) {
  keepCompiled();
  await import(main);
} else {
  const node = isFit ? process.execPath : findNode();
  if (node) {
    await runUnder(node);
  } else {
    console.error(`hangup: Node ${MAJOR} or newer is needed, this is ${process.versions.node}`);
    console.error(
      `  hint: "npm install --save-dev node@${MAJOR}" brings one along as a package ` +
        `(in a clone "npm install" does), or install Node ${MAJOR}`,
    );
    process.exitCode = FAULT;
  }
}
