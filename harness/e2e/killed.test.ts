// The harness is killed at fifty moments, seeded, over the whole of a run: from the first sight of its bundle until after
// the seal. Each time a bundle is left that can be read; nothing is concluded from one that was not sealed; nothing else is left.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { judgeBundle } from '../cli/judge.ts';
import { nowMs } from '../model/time.ts';
import { bundleFolders, FIXTURES, nothingLeft, runWords, startCli, temporaryFolder } from './test-kit.ts';

const MOMENTS = 50;
const SIDE_BY_SIDE = 4;
const SEED = 20_261_130;
/** Beyond its end: also when all is sealed. */
const REACH = 1.1;
const SEEN_LIMIT_MS = 60_000;
const GONE_WITHIN_MS = 20_000;
const LIMIT_MS = 600_000;

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** mulberry32: the same moments in every run of this test. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** A share of the run's length, or the first sight of a file of the bundle: what closing writes is there within milliseconds. */
type Moment = { readonly share: number } | { readonly file: string };

const FILES = ['', 'logs/router.log', 'timeline.ndjson.partial', 'verdicts.json', 'report.md', 'seal.json.partial', 'seal.json'];

const moments = (): readonly Moment[] => {
  const random = createRandom(SEED);
  const atFiles = [...FILES, ...FILES].map((file) => ({ file }));
  return [...atFiles, ...Array.from({ length: MOMENTS - atFiles.length }, () => ({ share: random() * REACH }))];
};

const bundleOf = (folder: string): string | undefined => bundleFolders(folder)[0];

/** Looks as often as it can: what it waits for may be there for a millisecond. A run that ends first has passed it. */
const sight = async (path: () => string | undefined, hasEnded: () => boolean): Promise<string | undefined> => {
  for (const untilMs = nowMs() + SEEN_LIMIT_MS; !hasEnded(); await pass(1)) {
    const found = path();
    if (found !== undefined && existsSync(found)) return found;
    if (nowMs() > untilMs) throw new Error(`waited ${SEEN_LIMIT_MS} ms in vain for a file of a bundle`);
  }
  return path();
};

/** @param moment null: left alone. @returns the bundle's folder, and how long the run took after its first sight */
const runOnce = async (moment: Moment | null, wholeMs: number): Promise<{ readonly bundle: string; readonly folder: string; readonly tookMs: number }> => {
  const folder = temporaryFolder(true);
  folders.push(folder);
  const started = startCli(runWords([join(FIXTURES, 'short.yaml')], folder, ['--jobs', '1']), { folder });
  let isOver = false;
  const over = started.finished.then(() => (isOver = true));
  const bundle = await sight(() => bundleOf(folder), () => isOver);
  const seenMs = nowMs();
  if (bundle === undefined) throw new Error(`no bundle was begun:\n${started.output()}`);
  if (moment !== null && 'share' in moment) await Promise.race([pass(moment.share * wholeMs), over]);
  if (moment !== null && 'file' in moment) await sight(() => join(bundle, moment.file), () => isOver);
  if (moment !== null) started.child.kill('SIGKILL');
  await over;
  await nothingLeft(folder, GONE_WITHIN_MS);
  return { bundle, folder, tookMs: nowMs() - seenMs };
};

/** @throws whatever reading it throws: there is none that cannot be read */
const lookAt = async (path: string): Promise<Bundle> => {
  const bundle = await readBundle(path);
  const { exitCode, output } = await judgeBundle(path);
  if (bundle.isSealed) {
    expect(bundle.notes).toEqual([]);
    expect(output).toContain('The same as verdicts.json, byte for byte.');
    return bundle;
  }
  expect(bundle.notes[0]).toContain('the bundle was not sealed: the run was cut off');
  expect(output).toContain('error: interrupted');
  expect(output).toContain('Claims: 0 held, 0 violated, 0 inconclusive. Exit code 3.');
  expect(exitCode).toBe(3);
  return bundle;
};

test('fifty moments, fifty bundles that can be read, and none that says more than it knows', { timeout: LIMIT_MS }, async () => {
  const pilots = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => runOnce(null, 0)));
  for (const { bundle } of pilots) expect((await lookAt(bundle)).isSealed).toBe(true);
  const wholeMs = Math.max(...pilots.map(({ tookMs }) => tookMs));

  const left = [...moments()];
  const bundles: Bundle[] = [];
  const work = async (): Promise<void> => {
    for (let moment = left.pop(); moment !== undefined; moment = left.pop()) {
      const { bundle } = await runOnce(moment, wholeMs);
      bundles.push(await lookAt(bundle).catch((cause: unknown) => {
        throw new Error(`killed at ${JSON.stringify(moment)}: ${bundle}`, { cause });
      }));
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));

  expect(bundles).toHaveLength(MOMENTS);
  const cut = bundles.filter(({ isSealed }) => !isSealed);
  expect(cut.length).toBeGreaterThan(MOMENTS / 2);
  // Over the whole of a run, not in one corner of it.
  const last = cut.map(({ timeline }) => timeline.of('phase').at(-1)?.phase ?? 'none');
  expect(new Set(last).size, `killed in: ${last.join(', ')}`).toBeGreaterThan(3);
});
