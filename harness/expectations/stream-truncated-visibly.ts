// A stream that was cut does not pretend to be whole: the client is told, and no end mark comes.
import type { ExpectationDefinition } from './expectation.ts';
import { held, inconclusive, violated } from './parts/finding.ts';
import { judgeStreams, unendedStream } from './parts/streams.ts';
import { viewOf } from './parts/view.ts';

export const definition: ExpectationDefinition = {
  kind: 'stream-truncated-visibly',
  about: 'The client was told that its stream was cut (an error, an end, a reset), and no end mark came.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose stream; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  notApplicable: () => null,
  pending: (input) => unendedStream(viewOf(input, 'watch')),
  judge: (input) =>
    judgeStreams(viewOf(input, 'watch'), ({ isWhole, end, words, evidence }) => {
      if (isWhole) return inconclusive(`nothing was cut: ${words}`, evidence);
      return end.endMark ? violated(`cut, but it looks whole: ${words}`, evidence) : held(words, evidence);
    }),
};
