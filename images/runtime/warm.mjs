// Starts each actor of the image once, with nothing to do, so that Node keeps what it compiled.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const entries = ['harness/runtimes/stage-host', 'harness/clients/main', 'harness/probes/main', 'upstreams/main'];
for (const entry of entries.flatMap((name) => [`${name}.ts`, `${name}.js`]).filter((file) => existsSync(file))) {
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
    stdio: 'ignore', timeout: 20_000, env: { NODE_COMPILE_CACHE: '/hangup/compiled' },
  });
}
