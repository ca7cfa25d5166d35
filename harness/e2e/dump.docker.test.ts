// `dump:` of a card, on docker: the signal by the engine, the command in the system's own container.
import { afterAll, describe, test } from 'vitest';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { accusesNobodyOfOurSignal, keepsWhatACommandSays, printsAtSignal, removeFolders } from './fixtures/dump.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

afterAll(removeFolders);

const LIMIT_MS = 400_000;

describe.skipIf(!available)('a system in a container', () => {
  test('prints a dump at its signal, and is judged as it would have been', () => printsAtSignal('docker'), LIMIT_MS);
  test('is looked at by a command: what that prints and leaves is kept, redacted', () => keepsWhatACommandSays('docker'), LIMIT_MS);
  test('is accused of nothing when it ends of our signal', () => accusesNobodyOfOurSignal('docker'), LIMIT_MS);
});
