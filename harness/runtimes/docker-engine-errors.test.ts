// What an engine refuses because of the system, and what is the engine's own trouble.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startProblem } from './docker-engine-errors.ts';

const answered = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode, json: { message } });
const codeOf = (error: unknown): string => startProblem('proxy', 'proxy:1', error).problems[0]!.code;

test.each([
  ['image-missing', 404, 'No such image: proxy:1'],
  ['system-not-started', 400, 'OCI runtime create failed: exec: "proxy": executable file not found in $PATH: unknown'],
  ['system-not-started', 500, 'crun: executable file `proxy` not found in $PATH'],
  ['engine-failed', 500, 'failed to create shim: no space left on device'],
  ['engine-failed', 409, 'Conflict. The container name "/proxy" is already in use'],
  ['engine-failed', 404, 'No such container: proxy'],
])('%s for %i, %s', (code, status, message) => {
  expect(codeOf(answered(status, message))).toBe(code);
});

test('an engine that is gone', async () => {
  const error = await new Promise((resolve) => request({ socketPath: '/nowhere/docker.sock' }).on('error', resolve).end());
  expect(codeOf(error)).toBe('engine-failed');
});
