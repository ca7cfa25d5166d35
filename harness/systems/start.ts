// From a card to a running, ready system: files written, processes started in order, readiness
// asked from inside the stage. What cannot start says so with the last lines of its own log.
import type { LiveTimeline } from '../model/live.ts';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs, nowMs } from '../model/time.ts';
import { resolveImage } from '../runtimes/images.ts';
import type { RunningSystem, Stage, SystemPlan } from '../runtimes/runtime.ts';
import { askSystem } from './ask-system.ts';
import type { HttpAnswer } from './ask-system.ts';
import type { Card, CardProcess } from './card.ts';
import type { Cell } from './cell.ts';
import { toMs } from './periods.ts';
import { fillMap, fillText } from './template.ts';
import type { Values } from './template.ts';

/** At which every upstream of a stage listens, each on an address of its own. */
export const UPSTREAM_PORT = 9000;
const READY_POLL_MS = 25;
/** Where an image that is built here holds the card's folder and its packages. */
const IMAGE_FOLDER = '/app';
const LOG_TAIL_BYTES = 2_000;
const HTTP_LIMIT_MS = 2_000;

export type StartedSystem = {
  readonly processes: readonly RunningSystem[];
  readonly main: RunningSystem;
  readonly baseUrl: string;
  readonly values: Values;
};

/** What templates of this card may refer to in this stage. `installed`: the folder its packages are in. `secrets`: by name. */
export const systemValues = (
  cell: Cell,
  stage: Stage,
  installed: string | null,
  secrets: Readonly<Record<string, string>> = {},
): Values => ({
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secret.${name}`, value])),
  dir: stage.systemFolder,
  port: stage.portFor(cell.card.listen.port),
  'system.address': stage.addressOf('system'),
  card: cell.runtime === 'process' ? cell.card.folder : IMAGE_FOLDER,
  ...(installed === null ? {} : { install: cell.runtime === 'process' ? installed : IMAGE_FOLDER }),
  ...(cell.card.version === null ? {} : { version: cell.card.version }),
  ...Object.fromEntries(
    Object.keys(cell.scenario.upstreams).flatMap((name) => {
      const address = stage.addressOf(`upstream.${name}`);
      return [
        [`upstreams.${name}.address`, `${address}:${UPSTREAM_PORT}`],
        [`upstreams.${name}.url`, `http://${address}:${UPSTREAM_PORT}`],
      ];
    }),
  ),
});

const planOf = (cell: Cell, entry: CardProcess, values: Values): SystemPlan => {
  const extra = {
    ...cell.settings,
    ...(cell.card.defects && cell.defects.length > 0 ? { [cell.card.defects.env]: cell.defects.join(',') } : {}),
  };
  const where = `${cell.card.file}: run ${entry.name}`;
  if (cell.runtime === 'process') {
    if (!entry.process)
      throw problem('scenario', 'no-process', `${where} has no process command`, {
        hint: 'use --runtime docker, or add process: to the card',
      });
    return {
      name: entry.name,
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
    name: entry.name,
    docker: {
      image: resolveImage(fillText(entry.docker.image, values, where)),
      ...(entry.docker.command ? { command: entry.docker.command.map((word) => fillText(word, values, where)) } : {}),
      env: { ...fillMap(entry.docker.env, values, where), ...extra },
      init: entry.docker.init,
    },
  };
};

const tail = async (system: RunningSystem): Promise<string> => {
  const text = (await system.readLog(LOG_TAIL_BYTES).catch(() => '')).trim();
  return text === ''
    ? 'its log is empty'
    : `the last lines of its log:\n${text
        .split('\n')
        .slice(-12)
        .map((line) => `  | ${line}`)
        .join('\n')}`;
};

const isReady = (answer: HttpAnswer, contains: string | undefined): boolean =>
  answer.status < 500 && answer.status !== 404 && (contains === undefined || answer.body.includes(contains));

/** Polls readiness until it answers; the reason it does not is in the error. */
const awaitReady = async (card: Card, stage: Stage, started: StartedSystem, signal: AbortSignal): Promise<void> => {
  const limitMs = toMs(card.ready.within, {}, 'ready.within');
  const untilMs = nowMs() + limitMs;
  const request = { method: 'GET', path: card.ready.http, headers: {}, body: '' };
  let last = 'no answer yet';
  while (nowMs() < untilMs && !signal.aborted) {
    const dead = started.processes.find((system) => system.hasExited());
    if (dead) {
      const { code, signal: by } = await dead.exited;
      throw problem('environment', 'system-exited', `${card.system}: ${dead.name} ended before it was ready (${by ?? `exit ${code}`})`, {
        hint: await tail(dead),
      });
    }
    try {
      const answer = await askSystem(stage.send, started.baseUrl, request, HTTP_LIMIT_MS);
      if (isReady(answer, card.ready.contains)) return;
      last = `${answer.status}${card.ready.contains ? `, without "${card.ready.contains}"` : ''}`;
    } catch (error) {
      last = messageOf(error);
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  signal.throwIfAborted();
  throw problem(
    'environment',
    'system-not-ready',
    `${card.system} was not ready within ${formatMs(limitMs)}: ${card.ready.http}: ${last}`,
    { hint: await tail(started.main) },
  );
};

/** Notes the end of each process where it was seen. */
const watchExit = (system: RunningSystem, timeline: LiveTimeline): void => {
  void system.exited.then(({ code, signal, atMs }) => {
    timeline.note({ type: 'process-exited', process: system.name, code, signal }, `system.${system.name}`, atMs);
  });
};

/**
 * Starts every process of the card in order and waits until the system answers.
 * @param keepLog is given what a system printed that did not become ready
 */
export const startSystem = async (
  cell: Cell,
  stage: Stage,
  timeline: LiveTimeline,
  values: Values,
  signal: AbortSignal,
  keepLog: (name: string, text: string) => void,
): Promise<StartedSystem> => {
  const { card } = cell;
  for (const [name, text] of Object.entries(card.files)) {
    await stage.send('probes', {
      do: 'write',
      path: `${stage.probesFolder}/${name}`,
      text: fillText(text, values, `${card.file}: files.${name}`),
    });
  }
  const startedMs = nowMs();
  const processes: RunningSystem[] = [];
  for (const entry of card.run) {
    const running = await stage.startSystem(planOf(cell, entry, values));
    processes.push(running);
    timeline.note({ type: 'system-started', process: entry.name, pid: running.pid });
    watchExit(running, timeline);
  }
  const main = processes.find((system) => system.name === card.listen.on) ?? processes[processes.length - 1]!;
  const started: StartedSystem = { processes, main, baseUrl: `http://${stage.addressOf('system')}:${values.port}`, values };
  try {
    await awaitReady(card, stage, started, signal);
  } catch (error) {
    for (const system of processes) keepLog(system.name, await system.readLog().catch(() => ''));
    throw error;
  }
  timeline.note({ type: 'system-ready', tookMs: Math.round(nowMs() - startedMs) });
  return started;
};
