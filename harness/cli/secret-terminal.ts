// A terminal that shows no secret: what commands write passes a redactor first, which knows the secrets of the command line, those
// of the environment, and every key that is made on the way.
import { secretsOfEnvironment } from '../bundle/looks-secret.ts';
import { createRedactedStream } from '../bundle/redact-stream.ts';
import type { RedactedStream } from '../bundle/redact-stream.ts';
import { MINIMUM_SECRET } from '../bundle/redact.ts';
import type { Terminal } from './command.ts';

/** Values of `--secret name=value`, before anybody has looked at the words: what is wrong with them is told with the words. */
const secretsOfWords = (argv: readonly string[]): readonly string[] =>
  argv.flatMap((word, index) => {
    const given = argv[index - 1] === '--secret' ? word : word.startsWith('--secret=') ? word.slice('--secret='.length) : '';
    const value = given.slice(given.indexOf('=') + 1);
    return value.length < MINIMUM_SECRET ? [] : [value];
  });

/** Writes what comes without secrets; nothing is held back but what may be the beginning of one. */
const pass =
  (stream: RedactedStream, write: (text: string) => void) =>
  (text: string): void => {
    const ready = stream.push(text);
    if (ready !== '') write(ready);
  };

/** @returns the terminal to be used from here on, and `end`, which writes what was held back */
export const hideSecrets = (given: Terminal, argv: readonly string[]): { readonly terminal: Terminal; readonly end: () => void } => {
  const { secrets, write, writeError, environment } = given;
  for (const secret of [...secretsOfWords(argv), ...secretsOfEnvironment(environment)]) secrets.find(secret);
  const out = createRedactedStream(secrets.shown, { isLive: true });
  const err = createRedactedStream(secrets.shown, { isLive: true });
  return {
    terminal: { ...given, write: pass(out, write), writeError: pass(err, writeError) },
    end: () => {
      for (const [stream, show] of [
        [out, write],
        [err, writeError],
      ] as const) {
        const rest = stream.end();
        if (rest !== '') show(rest);
      }
    },
  };
};
