// What of a card is started in one stage: its texts filled in for one instance, with the settings, the planted
// defects and the clock that the cell asks for.
import { problem } from '../model/problem.ts';
import { FAKE_TIME_FILE, fakeTimeEnvironment } from '../runtimes/fake-time.ts';
import { resolveImage } from '../runtimes/images.ts';
import type { Stage, SystemPlan } from '../runtimes/runtime.ts';
import { axisValues } from './axes/card-at.ts';
import type { CardProcess } from './card.ts';
import type { Cell } from './cell.ts';
import { addressNameOf, processNameOf } from './instances.ts';
import { fillMap, fillText } from './template.ts';
import type { Values } from './template.ts';

/** At which every upstream of a stage listens, each on an address of its own. */
export const UPSTREAM_PORT = 9000;
/** Where an image that is built here holds the card's folder and its packages. */
const IMAGE_FOLDER = '/app';

/**
 * What templates of this card may refer to in this stage. `installed`: the folder its packages are in. `secrets`: by name.
 * `source`: the work tree of its revision.
 */
export const systemValues = (
  cell: Cell,
  stage: Stage,
  installed: string | null,
  secrets: Readonly<Record<string, string>> = {},
  source: string | null = null,
): Values => ({
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secret.${name}`, value])),
  dir: stage.systemFolder,
  card: cell.runtime === 'process' ? cell.card.folder : IMAGE_FOLDER,
  ...(installed === null ? {} : { install: cell.runtime === 'process' ? installed : IMAGE_FOLDER }),
  ...(source === null ? {} : { source: cell.runtime === 'process' ? source : IMAGE_FOLDER }),
  ...axisValues(cell.card),
  ...Object.fromEntries(
    Object.keys(cell.scenario.upstreams).flatMap((name) => {
      const address = stage.addressOf(`upstream.${name}`);
      return [
        [`upstreams.${name}.address`, `${address}:${UPSTREAM_PORT}`],
        [`upstreams.${name}.url`, `http://${address}:${UPSTREAM_PORT}`],
      ];
    }),
  ),
  ...instanceValues(cell, stage, 1),
});

/** What differs from one instance to the next; the others share the first one's folder, and so its ledger. */
export const instanceValues = (cell: Cell, stage: Stage, instance: number): Values => ({
  instance,
  port: stage.portFor(cell.card.listen.port),
  'system.address': stage.addressOf(addressNameOf(instance)),
});

const environmentOf = (cell: Cell, stage: Stage, entry: CardProcess, instance: number): Record<string, string> => {
  const { card, scenario, defects, settings } = cell;
  const aheadMs = entry.name === card.listen.on ? (scenario.system.clocks[String(instance)] ?? 0) : 0;
  return {
    ...settings,
    ...(card.defects && defects.length > 0 ? { [card.defects.env]: defects.join(',') } : {}),
    ...(aheadMs === 0 ? {} : fakeTimeEnvironment(`${stage.systemFolder}/${FAKE_TIME_FILE}`, aheadMs)),
  };
};

/**
 * @param values with those of the instance
 * @throws ProblemError `no-process`, `no-image`, `unknown-reference`
 */
export const planOf = (cell: Cell, stage: Stage, entry: CardProcess, values: Values, instance = 1): SystemPlan => {
  const extra = environmentOf(cell, stage, entry, instance);
  const where = `${cell.card.file}: run ${entry.name}`;
  const name = processNameOf(entry.name, instance);
  if (cell.runtime === 'process') {
    if (!entry.process)
      throw problem('scenario', 'no-process', `${where} has no process command`, {
        hint: 'use --runtime docker, or add process: to the card',
      });
    return {
      name,
      process: {
        command: entry.process.command.map((word) => fillText(word, values, where)),
        env: { ...fillMap(entry.process.env, values, where), ...extra },
        cwd: fillText(entry.process.cwd ?? '${dir}', values, where),
      },
    };
  }
  if (!entry.docker)
    throw problem('scenario', 'no-image', `${where} has no docker image`, { hint: 'use --runtime process, or add docker: to the card' });
  return {
    name,
    docker: {
      image: resolveImage(fillText(entry.docker.image, values, where), cell.card.key === cell.card.file ? null : cell.card.key),
      ...(entry.docker.command ? { command: entry.docker.command.map((word) => fillText(word, values, where)) } : {}),
      env: { ...fillMap(entry.docker.env, values, where), ...extra },
      init: entry.docker.init,
    },
  };
};
