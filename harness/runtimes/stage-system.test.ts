// Signals to plain processes: who has ended hears nothing, also while nobody has heard of its end yet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Actor } from '../model/actor.ts';
import { eventually } from './fixtures/wait.ts';
import { isZombie } from './processes.ts';
import { createStageSystems } from './stage-system.ts';

const LIMIT_MS = 10_000;

test('what waits to be reaped hears no signal, and what lives does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  const ended: unknown[] = [];
  const systems = createStageSystems({ emit: (_: string, fact: unknown) => ended.push(fact) } as unknown as Actor);
  const plan = (name: string, command: string) => ({ name, command: ['sh', '-c', command], env: { PATH: process.env['PATH'] ?? '' }, cwd: folder, log: join(folder, 'log') });
  await systems.start(plan('lives', 'exec sleep 100'));
  const { pid } = await systems.start(plan('crashes', 'exit 3'));
  // Looked at without giving way: whoever gives way is told of the end.
  for (const untilMs = Date.now() + LIMIT_MS; !isZombie(pid) && Date.now() < untilMs;);
  expect(ended).toEqual([]);
  expect(systems.signal('crashes', 'SIGKILL')).toBe(false);
  expect(systems.signal('lives', 'SIGKILL')).toBe(true);
  await eventually('both ends', () => ended.length === 2);
  expect(ended).toContainEqual({ type: 'process-exited', process: 'crashes', code: 3, signal: null });
  rmSync(folder, { recursive: true, force: true });
});
