// Small registries of every field type, for the tests of the language itself: these must not change
// when somebody adds a step. The shapes follow the real ones where the design's example needs them.
import type { Field } from '../model/fields.ts';
import { createRegistry } from '../model/registry.ts';
import type { Definition } from '../model/registry.ts';
import type { Registries } from './schema.ts';

const define = (kind: string, options: Readonly<Record<string, Field>>, example: unknown = {}, $bare?: string): Definition => ({
  kind,
  about: `about ${kind}`,
  fields: { options, ...($bare === undefined ? {} : { $bare }) },
  example,
});

const duration: Field = { type: 'duration', about: 'how long' };
const within: Field = { ...duration, optional: true };
const client: Field = { type: 'client', about: 'which client' };
const after: Field = { type: 'after', about: 'from when on', optional: true };

export const testRegistries: Registries = {
  behaviours: createRegistry([
    define(
      'endless',
      { every: { ...duration, default: '100ms', minimum: 1 }, bytes: { type: 'size', about: 'of an event', optional: true } },
      { every: '100ms' },
      'every',
    ),
    define('silent', {}),
    define('error-status', { status: { type: 'status', about: 'the status' } }, { status: 500 }),
  ]),
  steps: createRegistry([
    define('request', { name: { type: 'text', about: 'of the card' } }, { name: 'chat' }, 'name'),
    define(
      'receive',
      {
        events: { type: 'integer', about: 'how many', minimum: 1, optional: true },
        'or-after': within,
        until: { type: 'choice', choices: ['end', 'head'], about: 'until', optional: true },
      },
      { events: 3 },
    ),
    define(
      'await',
      {
        renewals: { type: 'integer', about: 'how many', optional: true },
        log: { type: 'pattern', about: 'a line', optional: true },
        mark: { type: 'mark', about: 'a moment', optional: true },
        within,
      },
      { renewals: 1 },
    ),
    define(
      'disconnect',
      { how: { type: 'choice', choices: ['fin', 'rst', 'half-close', 'vanish', 'kill'], about: 'how' } },
      { how: 'fin' },
      'how',
    ),
    define('barrier', { name: { type: 'barrier', about: 'which' } }, { name: 'all' }, 'name'),
    define('pause', {}),
  ]),
  faults: createRegistry([
    define(
      'signal',
      { signal: { type: 'signal', about: 'which' }, instance: { type: 'instance', about: 'to whom', optional: true } },
      { signal: 'SIGTERM' },
      'signal',
    ),
    define('stop-upstream', { upstream: { type: 'upstream', about: 'which' } }, { upstream: 'model' }, 'upstream'),
    define('ledger-rows', { rows: { type: 'rows', about: 'what' } }, { rows: [{ client: 'alice' }] }),
  ]),
  expectations: createRegistry([
    define(
      'upstream-closed',
      { upstream: { type: 'upstream', about: 'which' }, after, within: duration },
      { upstream: 'model', within: '2s' },
    ),
    define('billing-terminal', { client, after, within: duration }, { client: 'alice', within: '5s' }),
    define('renewal-stopped', { client, after }, { client: 'alice' }),
    define('nothing-reserved', { client }, { client: 'alice' }, 'client'),
    define('no-late-charge', { client }, { client: 'alice' }, 'client'),
    define('refundable', { client }, { client: 'alice' }, 'client'),
    define('clean-shutdown', { within }, { within: '10s' }),
    define('expect-status', { status: { type: 'status', about: 'any of', list: true } }, { status: [200] }),
    define(
      'ratio',
      {
        p: { type: 'number', about: 'quantile', minimum: 0 },
        loud: { type: 'boolean', about: 'loud', default: false },
        extra: { type: 'any', about: 'anything', optional: true },
      },
      { p: 0.5 },
    ),
  ]),
};
