// What a runtime must bring before it is believed: every scenario on the clean router holds exactly the claims of
// docs/held-claims.json, both presets reproduce every cell of what the seed saw, in every way of leaving, and each bundle
// is judged again to the same bytes. `--write` makes the list anew from a run without a doubt.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { judgeBundle } from '../cli/judge.ts';
import { summarise } from '../reports/summary.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LIST = join(ROOT, 'docs', 'held-claims.json');
const PRESETS = ['seed-v047', 'seed-main'];

type Held = Readonly<Record<string, readonly string[]>>;

const { values } = parseArgs({
  options: {
    runtime: { type: 'string', default: 'process' },
    sets: { type: 'string', default: '1' },
    presets: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** One command with its output shown; its bundles, controls too. */
const run = async (folder: string, words: readonly string[]): Promise<readonly Bundle[]> => {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'harness', 'hangup.mjs'), 'run', '--runtime', values.runtime, '--output', folder, ...words],
    { stdio: 'inherit' },
  );
  await once(child, 'exit');
  const [name] = readdirSync(folder).filter((entry) => entry !== 'latest');
  const entries = name === undefined ? [] : readdirSync(join(folder, name), { withFileTypes: true });
  // Beside them lie the reports of the whole.
  const bundles = entries.filter((entry) => entry.isDirectory());
  return Promise.all(bundles.map((entry) => readBundle(join(folder, name!, entry.name))));
};

/** Bundles that judging again would say something else of. */
const judgedOtherwise = async (bundles: readonly Bundle[]): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const { folder, isSealed } of bundles) {
    const { output } = await judgeBundle(folder);
    if (!isSealed || !output.includes('byte for byte')) wrong.push(`judged otherwise the second time: ${folder}`);
  }
  return wrong;
};

const heldIn = (bundles: readonly Bundle[]): Held =>
  Object.fromEntries(
    bundles
      .filter(({ manifest }) => !manifest.isControl)
      .map(
        ({ manifest, verdicts }) =>
          [
            manifest.scenario,
            (verdicts?.verdicts ?? [])
              .filter(({ outcome }) => outcome === 'held')
              .map(({ id }) => id)
              .sort(),
          ] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const listed = (): Readonly<Record<string, Held>> =>
  existsSync(LIST) ? (JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, Held>) : {};

const notHeld = (bundles: readonly Bundle[]): readonly string[] =>
  bundles.flatMap(({ manifest, verdicts, resolved: { run: asked } }) => {
    // Where a scenario says what must be concluded, that is what is asked of it.
    const otherwise = verdicts && summarise({ verdicts, run: asked, tookMs: 0, folder: null }).otherwise;
    if (otherwise) return otherwise.map((one) => `${manifest.scenario}: ${one}`);
    return (verdicts?.verdicts ?? [])
      .filter(({ outcome }) => outcome !== 'held')
      .map(({ id, outcome, reason }) => `${manifest.scenario}: ${id} is ${outcome}: ${reason}`);
  });

const compare = (expected: Held, found: Held): readonly string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((scenario) => {
    const [wanted, got] = [expected[scenario], found[scenario]];
    if (!wanted) return [`${scenario}: is not in ${LIST}`];
    if (!got) return [`${scenario}: was not run`];
    return [
      ...wanted.filter((id) => !got.includes(id)).map((id) => `${scenario}: ${id} was not held`),
      ...got.filter((id) => !wanted.includes(id)).map((id) => `${scenario}: ${id} was held, and is not in the list`),
    ];
  });

const acceptClean = async (folder: string): Promise<readonly string[]> => {
  const bundles = await run(folder, []);
  const found = heldIn(bundles);
  if (!values.write) return [...compare(listed()[values.runtime] ?? {}, found), ...notHeld(bundles), ...(await judgedOtherwise(bundles))];
  const doubts = notHeld(bundles);
  if (doubts.length === 0) writeFileSync(LIST, `${JSON.stringify({ ...listed(), [values.runtime]: found }, null, 1)}\n`);
  return doubts;
};

/** Every claim that the preset's cell names is violated; where it names none, the scenario passes. */
const acceptPreset = async (folder: string, preset: string): Promise<readonly string[]> => {
  const bundles = await run(folder, ['--defect', preset]);
  const driven = bundles.filter(({ manifest, resolved }) => !manifest.isControl && preset in resolved.run.saw);
  const wrong = driven.flatMap(({ manifest, resolved, verdicts }) => {
    const { violates } = resolved.run.saw[preset]!;
    if (violates.length === 0)
      return verdicts?.outcome === 'passed' ? [] : [`${preset} ${manifest.scenario}: ${verdicts?.outcome}, not passed`];
    const violated = verdicts?.verdicts.filter(({ outcome }) => outcome === 'violated').map(({ id }) => id) ?? [];
    return violates.filter((claim) => !violated.includes(claim)).map((claim) => `${preset} ${manifest.scenario}: ${claim} is not violated`);
  });
  return [...(driven.length === 0 ? [`${preset}: nothing was run`] : []), ...wrong, ...(await judgedOtherwise(bundles))];
};

const main = async (): Promise<number> => {
  const works = [
    ...Array.from({ length: Number(values.sets) }, () => acceptClean),
    ...(values.presets ? PRESETS.map((preset) => (folder: string) => acceptPreset(folder, preset)) : []),
  ];
  const wrong: string[] = [];
  for (const work of works) {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-accept-'));
    const found = await work(folder);
    wrong.push(...found);
    if (found.length === 0) rmSync(folder, { recursive: true, force: true });
    else say(`evidence is kept in ${folder}`);
  }
  say(wrong.length === 0 ? `accepted: runtime ${values.runtime}` : `NOT accepted: runtime ${values.runtime}\n  ${wrong.join('\n  ')}`);
  return wrong.length === 0 ? 0 : 1;
};

process.exitCode = 3;
process.exitCode = await main();
