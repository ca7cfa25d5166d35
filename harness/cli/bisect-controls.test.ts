// One control serves all runs of a version, and none that it has left open.
import { expect, test } from 'vitest';
import type { Control } from '../plan/run-plan.ts';
import { cellWith } from '../systems/fixture.ts';
import { controlKey } from '../systems/control-cell.ts';
import { createControls } from './bisect-controls.ts';

const cell = cellWith();
const control = (hasBroken = false): Control => ({ letIn: Promise.resolve(), timeline: Promise.resolve(hasBroken ? null : ([] as unknown as NonNullable<Awaited<Control['timeline']>>)) });

test.each([['passed', false], ['failed', false], ['inconclusive', true]] as const)('after a run that is %s the next has one of its own: %s', async (outcome, isReplaced) => {
  const own = createControls();
  const first = control();
  own.controls.set(controlKey(cell), first);
  await own.ended(cell, first, outcome);
  expect([own.of(cell), own.attemptOf(cell)]).toEqual(isReplaced ? [undefined, 2] : [first, 1]);
});

test('one that broke is replaced whatever the run came to, and by the first that sees it', async () => {
  const own = createControls();
  const [broken, second] = [control(true), control()];
  own.controls.set(controlKey(cell), broken);
  await own.ended(cell, broken, 'failed');
  own.controls.set(controlKey(cell), second);
  await own.ended(cell, broken, 'inconclusive');
  await own.ended(cell, undefined, 'inconclusive');
  expect([own.of(cell), own.attemptOf(cell)]).toEqual([second, 2]);
});
