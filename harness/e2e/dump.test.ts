// `dump:` of a card, on the process runtime.
import { afterAll, describe, test } from 'vitest';
import { accusesNobodyOfOurSignal, asksNobodyWhereAllHolds, keepsWhatACommandSays, printsAtSignal, removeFolders, tellsOfACommandThatHangs } from './fixtures/dump.ts';

afterAll(removeFolders);

const LIMIT_MS = 120_000;

describe.concurrent('a system that a claim was seen violated of', () => {
  test('prints a dump at its signal, and is judged as it would have been', () => printsAtSignal('process'), LIMIT_MS);
  test('is not asked where all holds', () => asksNobodyWhereAllHolds('process'), LIMIT_MS);
  test('is looked at by a command: what that prints and leaves is kept, redacted', () => keepsWhatACommandSays('process'), LIMIT_MS);
  test('is accused of nothing when it ends of our signal', () => accusesNobodyOfOurSignal('process'), LIMIT_MS);
  test('goes on when the command does not end', () => tellsOfACommandThatHangs('process'), LIMIT_MS);
});
