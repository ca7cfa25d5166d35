// Who reads to the end gets everything: every event that the upstream wrote, and the end mark.
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { held, violated } from './parts/finding.ts';
import { judgeStreams, unendedStream } from './parts/streams.ts';
import { viewOf } from './parts/view.ts';

export const definition: ExpectationDefinition = {
  kind: 'stream-complete',
  about: 'The client got everything that the upstream wrote, and the end mark.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose stream; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  withoutSystem: true,
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: [`the end of ${whose(options)} stream, at the upstream and at the client`],
    violatedIf: ['the client lacks an event that the upstream wrote, or the end mark, or was told an error'],
    inconclusiveIf: ['the stream never ended, or the upstream did not write all of it', ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  pending: (input) => unendedStream(viewOf(input, 'watch')),
  judge: (input) =>
    judgeStreams(viewOf(input, 'watch'), ({ isWhole, words, evidence }) =>
      isWhole ? held(words, evidence) : violated(`not complete: ${words}`, evidence),
    ),
};
