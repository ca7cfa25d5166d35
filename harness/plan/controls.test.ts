// Which cells need a control, which share one, and for how long it stays.
import { expect, test } from 'vitest';
import { cellWith, METERED } from '../systems/fixture.ts';
import { controlKey } from '../systems/control-cell.ts';
import { controlsOf, needsControl } from './controls.ts';

const cell = (how: string, within = '2s', events = 3) =>
  cellWith({
    clients: `clients: { alice: { account: { balance: 10 }, script: [ ` +
      `request: chat, receive: { events: ${events} }, { disconnect: ${how}, mark: gone } ] } }`,
    expect: `expect: [ upstream-closed: { upstream: model, client: alice, after: gone, within: ${within} }, process-alive ]`,
  });

test('a claim that something closed because of the leave needs one', () => {
  expect(needsControl(cell('fin'))).toBe(true);
});

test('nobody who vanished closed anything, and no other claim asks', () => {
  expect(needsControl(cell('vanish'))).toBe(false);
  expect(needsControl(cellWith({ expect: 'expect: [ process-alive ]' }))).toBe(false);
  expect(
    needsControl(
      cellWith({
        clients: 'clients: { alice: { account: { balance: 10 }, script: [ request: chat, wait: 1s ] } }',
        expect: 'expect: [ process-alive ]',
      }),
    ),
  ).toBe(false);
});

test('a claim that does not apply needs none', () => {
  const serving = { ...METERED, policy: 'policy: { half-close: serve }' };
  const halfClosing = cellWith(
    {
      upstreams: 'upstreams: { model: silent }',
      clients: 'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: half-close, mark: gone } ] } }',
    },
    serving,
  );
  expect(halfClosing.claims[0]!.notApplicable).not.toBeNull();
  expect(needsControl(halfClosing)).toBe(false);
});

test('one for each combination, staying for the longest of those that share it', () => {
  const cells = [cell('fin'), cell('rst'), cell('vanish'), cell('fin', '2s', 4)];
  const controls = controlsOf(cells);
  expect([...controls.keys()]).toEqual([controlKey(cells[0]!), controlKey(cells[3]!)]);
  const { marginMs } = cells[0]!.facts;
  for (const control of controls.values()) {
    expect(control.staysMs!).toBeGreaterThan(2_000 + 2 * marginMs);
    expect(control.claims).toEqual([]);
  }
});

test('the longest limit decides', () => {
  // Bounds follow the planned length; without any, cells of different limits share a control.
  const [short, long] = [cell('fin', '2s'), cell('rst', '9s')];
  expect(controlKey(short)).toBe(controlKey(long));
  const together = [...controlsOf([short, long]).values()];
  expect(together).toHaveLength(1);
  expect(together[0]!.staysMs).toBe([...controlsOf([long]).values()][0]!.staysMs);
  expect(together[0]!.staysMs! - [...controlsOf([short]).values()][0]!.staysMs!).toBe(7_000);
});
