// However a stream ends, the client can tell: all of it with the end mark, or a visible cut without.
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { held, violated } from './parts/finding.ts';
import { judgeStreams, unendedStream } from './parts/streams.ts';
import { viewOf } from './parts/view.ts';

export const definition: ExpectationDefinition = {
  kind: 'stream-whole-or-told',
  about: 'The stream was complete with its end mark, or visibly cut without one.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose stream; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  withoutSystem: true,
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: [`the end of ${whose(options)} stream`],
    violatedIf: ['it was cut and has an end mark all the same: it looks whole'],
    inconclusiveIf: ['the stream never ended', ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  pending: (input) => unendedStream(viewOf(input, 'watch')),
  judge: (input) =>
    judgeStreams(viewOf(input, 'watch'), ({ isWhole, end, words, evidence }) =>
      isWhole || !end.endMark ? held(words, evidence) : violated(`cut, but it looks whole: ${words}`, evidence),
    ),
};
