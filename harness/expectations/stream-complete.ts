// Who reads to the end gets everything: every event that the upstream wrote, and the end mark.
import type { ExpectationDefinition } from './expectation.ts';
import { held, violated } from './parts/finding.ts';
import { judgeStreams, unendedStream } from './parts/streams.ts';
import { viewOf } from './parts/view.ts';

export const definition: ExpectationDefinition = {
  kind: 'stream-complete',
  about: 'The client got everything that the upstream wrote, and the end mark.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose stream; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  notApplicable: () => null,
  pending: (input) => unendedStream(viewOf(input, 'watch')),
  judge: (input) =>
    judgeStreams(viewOf(input, 'watch'), ({ isWhole, words, evidence }) =>
      isWhole ? held(words, evidence) : violated(`not complete: ${words}`, evidence),
    ),
};
