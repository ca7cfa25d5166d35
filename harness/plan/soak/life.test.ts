// What a system takes is read from its samples and nothing else; and which cells can be repeated on one system.
import { expect, test } from 'vitest';
import type { Facts } from '../../model/facts.ts';
import type { Observation } from '../../model/observation.ts';
import type { Cell } from '../../systems/cell.ts';
import { registries } from '../../scenario/registries.ts';
import { loadCells } from '../../cli/load-cells.ts';
import { longLifeOf, whyNoLife, whyNotRepeated } from './long-life.ts';
import { createRotation, groupsOf, plannedMsOf } from './rotation.ts';
import { phasesOf } from '../explain-lengths.ts';
import { selectCells } from '../select.ts';
import { heldBySystem, readingsOf, summaryOfRun } from './system-readings.ts';

const cellsOf = async (...paths: readonly string[]) =>
  selectCells(await loadCells(paths, {}, null, '/'), { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} });

test('connections that the system holds are counted once, on both legs; waiting and orphaned ones are not', () => {
  const facts = { system: { main: 'router', address: '10.0.0.2', listen: '10.0.0.2:8000' }, upstreams: { model: { address: '10.0.0.3' } } } as unknown as Facts;
  const row = (local: string, remote: string, state = 'established', inode = 7) => ({ local, remote, state, inode, sendQueue: 0, receiveQueue: 0 }) as never;
  expect(heldBySystem([
    row('10.0.0.2:8000', '10.0.0.4:40000'), row('10.0.0.4:40000', '10.0.0.2:8000'), row('10.0.0.2:8000', '0.0.0.0:0', 'listen'), row('10.0.0.2:8000', '10.0.0.4:40001', 'close-wait'),
    row('10.0.0.3:41000', '10.0.0.3:9000'), row('10.0.0.3:9000', '10.0.0.3:41000'), row('10.0.0.2:8000', '10.0.0.4:40002', 'time-wait'), row('10.0.0.2:8000', '10.0.0.4:40003', 'fin-wait-2', 0),
  ], facts)).toBe(3);
});

test('a run is its peak of memory and what it leaves above its own baseline', () => {
  const process = (atMs: number, rssBytes: number, descriptors: number, runDelayMs: number): Observation =>
    ({ atMs, actor: 'probe.process', seq: atMs, type: 'sample', probe: 'process', tookMs: 1, value: { alive: { router: true }, pids: [4], rssBytes, descriptors, runDelayMs, runDelays: {} } });
  const samples = [process(500, 10, 20, 0), process(1_000, 100, 21, 2), process(2_000, 180, 30, 4), process(3_000, 120, 24, 12)];
  const readings = samples.flatMap((sample) => readingsOf(sample as never, {} as Facts));
  expect(summaryOfRun(readings, 900)).toEqual({ memory: 80, fds: 3, lag: 5 });
  expect(summaryOfRun(readings, 2_500)).toEqual({});
});

test('a scenario whose client can come again is repeated, with the claims that last; others are not', async () => {
  const cells = await cellsOf('scenarios/disconnect/endless.yaml', 'scenarios/disconnect/killed-mid-stream.yaml', 'scenarios/disconnect/vanish.yaml', 'scenarios/disconnect/refuses-not-open.yaml');
  const fit = cells.filter((cell) => whyNotRepeated(cell) === null).map(({ id }) => id);
  expect(fit).toEqual(['disconnect/endless[how=fin]', 'disconnect/endless[how=half-close]', 'disconnect/endless[how=rst]']);
  const life = longLifeOf(cells.find(({ id }) => id === fit[0])!, 3_600_000);
  expect(life.claims.map(({ kind }) => kind).sort()).toEqual(['accounting-valid', 'clean-shutdown', 'keeps-serving', 'nothing-reserved', 'process-alive']);
  // The longest that a claim of the scenario allows for, which are not asked here.
  expect(life.drivenAgain!.restMs).toBeGreaterThan(5_000);
  expect(life.claims.every(({ kind }) => registries.expectations.get(kind) !== undefined)).toBe(true);
  // As many samples as in a life of a quarter of an hour.
  expect(3_600_000 / life.facts.sampling.processMs).toBeLessThanOrEqual(240);
});

test('who stays to the end of a script hangs up before the next turn, and nobody leaves twice', async () => {
  const [cell] = await cellsOf('scenarios/disconnect/cancelled-before.yaml');
  const leaves = (scripts: Cell['scripts']) =>
    Object.entries(scripts).map(([client, script]) => [client, script.filter(({ kind }) => kind === 'disconnect').map(({ options }) => options.how)]);
  expect(leaves(cell!.scripts)).toEqual([['alice', ['fin']], ['bob', []], ['carol', []]]);
  expect(leaves(longLifeOf(cell!, 600_000).scripts)).toEqual([['alice', ['fin']], ['bob', ['fin']], ['carol', ['fin']]]);
  // A half-close is a leave, but to a system that serves on after it.
  const half = (await cellsOf('scenarios/disconnect/endless.yaml')).find(({ id }) => id.includes('half-close'))!;
  const serving = { ...half, facts: { ...half.facts, policy: { ...half.facts.policy, halfClose: 'serve' as const } } };
  expect([half, serving].map((one) => leaves(longLifeOf(one, 600_000).scripts))).toEqual([[['alice', ['half-close']]], [['alice', ['half-close', 'rst']]]]);
  // It takes a close for a half-close until it writes, and a silent stream never does.
  const fin = { ...serving, scripts: cell!.scripts };
  expect(leaves(longLifeOf(fin, 600_000).scripts)).toEqual([['alice', ['rst']], ['bob', ['rst']], ['carol', ['rst']]]);
  // Who comes back after a leave is there again.
  const request = { kind: 'request', options: { name: 'chat' }, mark: null };
  const again = { ...cell!, scripts: { alice: [...cell!.scripts.alice!, request] } };
  expect(leaves(longLifeOf(again, 600_000).scripts)).toEqual([['alice', ['fin', 'fin']]]);
});

test('a client that would leave a stream of its own open with each turn has no life', async () => {
  const [cell] = await cellsOf('scenarios/disconnect/endless.yaml');
  const step = (kind: string, options: Readonly<Record<string, unknown>> = {}) => ({ kind, options, mark: null });
  const [ask, one, end] = [step('request', { name: 'chat' }), step('receive', { events: 1 }), step('receive', { until: 'end' })];
  const [fin, half, rst] = ['fin', 'half-close', 'rst'].map((how) => step('disconnect', { how }));
  const why = (halfClose: 'abort' | 'serve', ...alice: Cell['scripts'][string]) =>
    whyNotRepeated({ ...cell!, scripts: { bob: [ask, one], alice }, facts: { ...cell!.facts, policy: { ...cell!.facts.policy, halfClose } } });
  const refused = 'a client of it asks again before its first answer is over';
  expect(why('abort', ask, one, ask, one, fin!)).toBe(refused);
  expect(why('abort', ask, fin!, ask, one, step('request', { name: 'chat', repeat: true }))).toBe(refused);
  expect([why('abort', ask, one, fin!, ask), why('abort', ask, half!, ask), why('abort', ask, end, ask), why('abort', ask, step('expect-close'), ask)]).toEqual([null, null, null, null]);
  // Who serves on after a FIN has the first stream by right.
  expect([why('serve', ask, one, fin!, ask), why('serve', ask, half!, ask), why('serve', ask, rst!, ask)]).toEqual([refused, refused, null]);
});

test('who has stopped reading reads again before the next turn', async () => {
  const cells = await cellsOf('scenarios/disconnect/flood-leaves.yaml', 'scenarios/disconnect/pause-within-send-bound.yaml');
  const kinds = (id: string) => longLifeOf(cells.find((cell) => cell.id.startsWith(id))!, 600_000).scripts.alice!.map(({ kind }) => kind);
  expect(kinds('disconnect/flood-leaves')).toEqual(['pause', 'request', 'await', 'await', 'disconnect', 'resume']);
  expect(kinds('disconnect/pause-within-send-bound').filter((kind) => kind === 'resume')).toHaveLength(1);
});

test('a life says nothing of growth where nobody asked whether it served, or where it did not to the end', async () => {
  const [cell] = await cellsOf('scenarios/disconnect/endless.yaml');
  const life = longLifeOf(cell!, 600_000);
  const served = (outcome: 'held' | 'inconclusive') => [{ claim: 'keeps-serving', outcome, reason: 'so it was' }] as never;
  expect(whyNoLife({ cell: life, verdicts: [] })).toBe('its run broke off before anybody asked whether it served to the end');
  expect(whyNoLife({ cell: life, verdicts: served('inconclusive') })).toBe('it was not served to the end: so it was');
  expect([whyNoLife({ cell: life, verdicts: served('held') }), whyNoLife({ cell: cell!, verdicts: [] })]).toEqual([null, null]);
});

test('a life that would add up what is known to stay, or what may stay without a bound, is not begun', async () => {
  const [cell] = await cellsOf('scenarios/disconnect/endless.yaml');
  const listed = (violates: readonly string[], scenario = 'disconnect/endless') => whyNotRepeated({ ...cell!, card: { ...cell!.card, known: [{ scenario, violates }] as never } });
  expect([listed(['upstream-closed#2']), listed(['charged-once', 'billing-terminal'])]).toEqual(Array.from({ length: 2 }, () => 'its card lists that streams are left open'));
  expect([listed(['charged-once']), listed(['upstream-closed'], 'disconnect/finite')]).toEqual([null, null]);
  const draining = (drain: number | undefined) => {
    const { drain: _, ...bounds } = cell!.facts.bounds;
    return { ...cell!, facts: { ...cell!.facts, policy: { ...cell!.facts.policy, onDisconnect: 'drain' as const }, bounds: drain === undefined ? bounds : { ...bounds, drain } } };
  };
  expect(whyNotRepeated(draining(undefined))).toBe('it drains without a bound');
  expect(whyNotRepeated(draining(40_000))).toBeNull();
  expect(longLifeOf(draining(40_000), 600_000).drivenAgain!.restMs).toBeGreaterThan(40_000);
});

test('each round has every group once, in an order of the seed; what is under way has to wait', async () => {
  const groups = groupsOf(await cellsOf('scenarios/disconnect/endless.yaml', 'scenarios/disconnect/finite.yaml', 'scenarios/disconnect/vanish.yaml'));
  const order = (seed: number): readonly string[] => {
    const rotation = createRotation(groups, seed);
    return Array.from({ length: 3 * groups.length }, () => rotation.next(() => false)!.key);
  };
  const first = order(7);
  expect(order(7)).toEqual(first);
  expect(order(8)).not.toEqual(first);
  for (let round = 0; round < 3; round += 1) expect(first.slice(round * groups.length, (round + 1) * groups.length).sort()).toEqual(groups.map(({ key }) => key).sort());
  expect(createRotation(groups, 7).next((key) => key === first[0])!.key).toBe(first[1]);
  expect(createRotation(groups, 7).next(() => true)).toBeUndefined();
});

test('a group may take as long as its cells one after the other and their control, before it is called hanging', async () => {
  const [group] = groupsOf(await cellsOf('scenarios/disconnect/endless.yaml'));
  const [one] = group!.cells;
  const plannedMs = phasesOf(one!).reduce((sum, phase) => sum + (phase.plannedMs ?? 0), 0);
  expect(group!.cells.length).toBeGreaterThan(2);
  expect(plannedMsOf(group!)).toBe(plannedMs * (group!.cells.length + 1));
});
