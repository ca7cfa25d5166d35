// A stream that was cut does not pretend to be whole: the client is told, and no end mark comes.
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { held, inconclusive, violated } from './parts/finding.ts';
import { judgeStreams, unendedStream } from './parts/streams.ts';
import { viewOf } from './parts/view.ts';

export const definition: ExpectationDefinition = {
  kind: 'stream-truncated-visibly',
  about: 'The client was told that its stream was cut (an error, an end, a reset), and no end mark came.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose stream; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  withoutSystem: true,
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: [`the end of ${whose(options)} stream, before the upstream had written all of it`],
    violatedIf: ['the client got an end mark all the same: cut, but it looks whole'],
    inconclusiveIf: ['nothing was cut', 'the stream never ended', ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  pending: (input) => unendedStream(viewOf(input, 'watch')),
  judge: (input) =>
    judgeStreams(viewOf(input, 'watch'), ({ isWhole, end, words, evidence }) => {
      if (isWhole) return inconclusive(`nothing was cut: ${words}`, evidence);
      return end.endMark ? violated(`cut, but it looks whole: ${words}`, evidence) : held(words, evidence);
    }),
};
