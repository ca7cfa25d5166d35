// `npm run bench`: what ours costs beside the same done plainly, measured in one run on this machine
// and printed beside the aims. It is a table to read and no test: a missed aim does not fail it.
import { parseArgs } from 'node:util';
import { messageOf } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import { bisect, bisectAlways, bisectRare } from './bisect.ts';
import { close } from './close.ts';
import { coldStart } from './cold-start.ts';
import { dockerPrepare } from './docker-prepare.ts';
import { evidence } from './evidence.ts';
import { flood } from './flood.ts';
import { longPage } from './long-page.ts';
import type { Measure } from './measure.ts';
import { merge } from './merge.ts';
import { shards } from './shards.ts';
import { silent } from './silent.ts';
import { soak } from './soak.ts';
import { leftOut, table } from './table.ts';
import type { Done } from './table.ts';
import { waiting } from './waiting.ts';
import { writer } from './writer.ts';

const MEASURES: readonly Measure[] = [close, silent, flood, coldStart, dockerPrepare, evidence, writer, longPage, shards, merge, waiting, soak, bisect, bisectAlways, bisectRare];

const HELP = `Measures hangup beside plain programs that do the same, in one run, and prints the ratios.

  npm run bench                        all measures but soak (an hour) and bisect-rare (minutes)
  npm run bench -- --only close,flood  some of them
  npm run bench -- --help

Measures:
${MEASURES.map(({ name, work, beside, aim }) => `  ${name.padEnd(15)} ${work}\n${' '.repeat(18)}beside ${beside}; aim: ${aim}`).join('\n')}

Ratios are medians, with the middle half of the rounds in brackets. Exit codes: 0 measured (whatever came of
it), 1 something could not be measured, 4 usage.
`;

const chosen = (only: readonly string[] | undefined): readonly Measure[] => {
  const names = only?.flatMap((list) => list.split(',')) ?? MEASURES.filter(({ onlyWhenNamed }) => !onlyWhenNamed).map(({ name }) => name);
  const unknown = names.filter((name) => !MEASURES.some((measure) => measure.name === name));
  if (unknown.length > 0) throw new Error(`there is no measure ${unknown.join(', ')}; there are: ${MEASURES.map(({ name }) => name).join(', ')}`);
  return MEASURES.filter(({ name }) => names.includes(name));
};

/** @returns whether all could be measured */
const measureAll = async (measures: readonly Measure[], isNamed: boolean): Promise<boolean> => {
  const done: Done[] = [];
  const failed: string[] = [];
  for (const measure of measures) {
    const beganMs = performance.now();
    process.stderr.write(`measuring ${measure.name} ...`);
    try {
      done.push({ measure, result: await measure.run() });
    } catch (error) {
      failed.push(`${measure.name} could not be measured: ${messageOf(error)}`);
    }
    process.stderr.write(` ${formatMs(performance.now() - beganMs)}\n`);
  }
  process.stdout.write(`${table(done)}\n${failed.map((line) => `${line}\n`).join('')}${isNamed ? '' : leftOut(MEASURES, measures)}`);
  return failed.length === 0;
};

const main = async (): Promise<number> => {
  let measures: readonly Measure[];
  let isNamed: boolean;
  try {
    const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } } });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    measures = chosen(values.only);
    isNamed = values.only !== undefined;
  } catch (error) {
    process.stderr.write(`bench: ${messageOf(error)}\n`);
    return 4;
  }
  return (await measureAll(measures, isNamed)) ? 0 : 1;
};

process.exitCode = 1;
process.exitCode = await main();
