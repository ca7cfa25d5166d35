// Old formats, by a chain that is made up: format 1 is the first, and there is no other yet. What is committed in
// evidence/golden is of format 1 too, so that the first real step has something to be tried on.
import { expect, it } from 'vitest';
import { checkFormat, upgrade } from './upgrade.ts';
import type { RawBundle, Upgrade } from './upgrade.ts';

const FIRST: RawBundle = {
  manifest: { format: 1, runId: 'r1' },
  resolved: { judged: { claims: [] } },
  timeline: [{ at: 1, actor: 'harness' }, { at: 2, actor: 'system' }],
  control: [{ at: 3, actor: 'harness' }],
  verdicts: { result: 'passed' },
};

const renamed = (line: object): object => {
  const { at, ...rest } = line as { readonly at: number };
  return { atMs: at, ...rest };
};

/** 1 -> 2: `at` becomes `atMs`. 2 -> 3: `result` becomes `outcome`, and a policy is added. */
const STEPS: Readonly<Record<number, Upgrade>> = {
  1: (raw) => ({ ...raw, timeline: raw.timeline.map(renamed), control: raw.control && raw.control.map(renamed) }),
  2: (raw) => {
    // Each step may rely on what the one before it has made.
    for (const line of raw.timeline) if (!('atMs' in line)) throw new Error('step 2 came before step 1');
    return {
      ...raw,
      resolved: { ...raw.resolved, policy: 'cancel' },
      verdicts: raw.verdicts && { outcome: raw.verdicts.result },
    };
  },
};

it('takes a bundle through every step, in order, and says which format it then has', () => {
  expect(upgrade(FIRST, STEPS, 3)).toEqual({
    manifest: { format: 3, runId: 'r1' },
    resolved: { judged: { claims: [] }, policy: 'cancel' },
    timeline: [{ atMs: 1, actor: 'harness' }, { atMs: 2, actor: 'system' }],
    control: [{ atMs: 3, actor: 'harness' }],
    verdicts: { outcome: 'passed' },
  });
});

it('begins in the middle of the chain with what is younger, and leaves alone what is of today', () => {
  const second = upgrade(FIRST, STEPS, 2);
  expect(second.manifest.format).toBe(2);
  expect(upgrade(second, STEPS, 3)).toEqual(upgrade(FIRST, STEPS, 3));
  expect(upgrade(upgrade(FIRST, STEPS, 3), STEPS, 3)).toEqual(upgrade(FIRST, STEPS, 3));
});

it('changes nothing of what it was given, and takes what was never judged or had no control', () => {
  const before = structuredClone(FIRST);
  upgrade(FIRST, STEPS, 3);
  expect(FIRST).toEqual(before);
  expect(upgrade({ ...FIRST, control: null, verdicts: null }, STEPS, 3)).toMatchObject({ control: null, verdicts: null });
});

it('refuses what no step leads from, also where only one in the middle is missing', () => {
  const refused = (steps: Readonly<Record<number, Upgrade>>) => () => upgrade(FIRST, steps, 3);
  expect(refused({ 2: STEPS[2]! })).toThrow('nothing leads from format 1 of this bundle to 3');
  expect(refused({ 1: STEPS[1]! })).toThrow('nothing leads from format 2 of this bundle to 3');
});

it.each([0, -1, 1.5, '1', null, undefined])('knows no format %j', (format) => {
  expect(() => checkFormat({ format })).toThrow('manifest.json names no format');
});
