#!/usr/bin/env node
// The command's entry. Needs no particular Node: it finds one >= 24 (its own, or the one that comes
// with the repository as the `node` package) and says what to do where there is none.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const here = dirname(fileURLToPath(import.meta.url));
// Sources in a clone; stripped .js in the published package, since Node strips no types below node_modules.
const main = ['main.js', 'main.ts'].map((name) => join(here, name)).find((path) => existsSync(path));

const major = (version) => Number(version.split('.')[0]);

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

const runUnder = (node) => {
  // A session of its own, so that Ctrl-C reaches the harness exactly once: from here. The channel
  // lets it notice that this process was killed, and end as it would have.
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true, env: { ...process.env, HANGUP_WRAPPED: '1' } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`hangup: cannot start ${node}: ${error.message}`);
    process.exitCode = 3;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (child.connected) child.disconnect();
  });
};

if (major(process.versions.node) >= MAJOR) {
  await import(main);
} else {
  const node = findNode();
  if (node) {
    runUnder(node);
  } else {
    console.error(`hangup: Node ${MAJOR} or newer is needed, this is ${process.versions.node}`);
    console.error(`  hint: run "npm install" here (it brings Node ${MAJOR} along as a package), or install Node ${MAJOR}`);
    process.exitCode = 3;
  }
}
