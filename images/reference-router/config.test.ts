// The configuration: everything wrong is said at once, and nothing wrong is started.
import { expect, test } from 'vitest';
import { NUMBERS, readConfig } from './config.ts';
import { defectNames } from './defects/registry.ts';
import { runMain } from './fixtures/router.ts';

const valid = { UPSTREAM_URL: 'http://127.0.0.1:9000', LEDGER: '/tmp/ledger.db' };

test('defaults are complete', () => {
  const { config, problems } = readConfig(valid, defectNames);
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8000, onDisconnect: 'cancel', defects: [] });
  // Whatever makes a request wait, be sent twice or share a connection is asked for.
  expect(config).toMatchObject({ maxConcurrent: 0, retries: 0, pool: 0 });
  expect(config.renewalMs).toBe(NUMBERS.RENEWAL_MS.default);
  expect(config.limits).toMatchObject({ header: NUMBERS.HEADER_MS.default, drain: NUMBERS.DRAIN_MS.default });
});

test('every problem is reported in one go', () => {
  const numbers = { PORT: '70000', READ_MS: '1.5', SEND_MS: '-1', RENEWAL_MS: '2000', RETRIES: '11', POOL: 'yes' };
  const others = { ON_DISCONNECT: 'wait', UPSTREAM_URL: 'ftp://x', HANGUP_DEFECTS: 'settles-twice,nonsense' };
  const { problems } = readConfig({ ...numbers, ...others }, defectNames);
  for (const name of [...Object.keys(numbers), 'ON_DISCONNECT', 'UPSTREAM_URL', 'LEDGER', '"nonsense"']) {
    expect(problems.filter((problem) => problem.includes(name)), name).toHaveLength(1);
  }
  expect(problems).toHaveLength(10);
});

test('an unknown defect refuses to start: exit 78, and the known ones are named', async () => {
  const { code, errors } = await runMain({ ...valid, HANGUP_DEFECTS: 'ignores-disconect' });
  expect(code).toBe(78);
  expect(errors).toContain('"ignores-disconect"');
  expect(errors).toContain('ignores-disconnect');
});

test('a ledger that cannot be opened: exit 1, and why', async () => {
  const { code, errors } = await runMain({ ...valid, PORT: '0', LEDGER: '/nonexistent/ledger.db' });
  expect(code).toBe(1);
  expect(errors).toMatch(/cannot start: .*unable to open/);
});
