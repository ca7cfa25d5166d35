// What a guard is given of the caller's environment: what finds the engine and the folder of the notes, and nothing that changes
// how Node runs. A guard must not end of a NODE_OPTIONS that means a file in the folder the harness was called from.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Engine } from './docker.ts';

type Environment = Readonly<Record<string, string>>;

/** LD_LIBRARY_PATH: a Node of its own libraries does not start without. Passwords of registries (DOCKER_AUTH_CONFIG) are for nobody here. */
const NEEDED = /^(PATH|HOME|USER|LOGNAME|LANG|LD_LIBRARY_PATH|XDG_\w+|SSH_AUTH_SOCK|DOCKER_(?!AUTH)\w+|TESTCONTAINERS_\w+)$/;
/** They may be meant from the harness's own folder, and a guard has another. */
const PATHS = new Set(['DOCKER_CERT_PATH', 'DOCKER_CONFIG']);

const given = (needed: RegExp, environment: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || !needed.test(name) ? [] : [[name, value !== '' && PATHS.has(name) ? resolve(value) : value] as const],
    ),
  );

export const guardEnvironment = (environment: NodeJS.ProcessEnv = process.env): Environment => ({
  ...given(NEEDED, environment),
  TMPDIR: resolve(tmpdir()),
});

/** By which another process finds the engine that this one found, whatever it would find by itself. */
export const engineEnvironment = (engine: Engine, environment: NodeJS.ProcessEnv = process.env): Environment => {
  const { socketPath, host, port } = engine.modem as { readonly socketPath?: unknown; readonly host?: string; readonly port?: number | string };
  const asked = environment['DOCKER_HOST'];
  const found = typeof socketPath === 'string' ? `unix://${socketPath}` : asked || (host ? `tcp://${host}:${port}` : undefined);
  return { ...given(/^DOCKER_(TLS_VERIFY|CERT_PATH)$/, environment), ...(found === undefined ? {} : { DOCKER_HOST: found }) };
};
