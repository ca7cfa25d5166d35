// The probes' process: looks at the system from inside the stage, by the clock and at marks, and does
// the small errands that need the stage's network or its folder (requests, SQL, templated files).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runActor } from '../model/actor.ts';
import type { Options } from '../model/fields.ts';
import type { Fact } from '../model/observation.ts';
import type { Command, Handler } from '../model/protocol.ts';
import { createHolds } from './holds.ts';
import { requestOnce } from './http-request.ts';
import type { HttpRequest } from './http-request.ts';
import type { ProbeView } from './probe.ts';
import { probes } from './registry.ts';
import { createSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { runSql } from './sql.ts';
import type { SqlStatement } from './sql.ts';

runActor('probes', ({ emit }) => {
  const schedules = new Map<string, Schedule>();
  const holds = createHolds(emit);
  const views = new Map<string, ProbeView>();

  const scheduleOf = (command: Command): Schedule => {
    const found = schedules.get(String(command.probe));
    if (!found) throw new Error(`probe ${String(command.probe)} has not been configured`);
    return found;
  };

  const configure: Handler = (command) => {
    const name = String(command.probe);
    const definition = probes.get(name);
    if (!definition) throw new Error(`no probe ${name}; there are ${probes.kinds.join(', ')}`);
    const view = definition.open((command.config ?? {}) as Options, views.get(name));
    views.set(name, view);
    const existing = schedules.get(name);
    if (existing) existing.replace(view);
    else schedules.set(name, createSchedule(view, (sampled) => emit(`probe.${name}`, { type: 'sample', probe: name, ...sampled } as Fact)));
    return { marksOnly: view.marksOnly?.() ?? false };
  };

  return {
    configure,
    sample: async (command) => {
      if (command.onlyHarmless === true && views.get(String(command.probe))?.marksOnly?.()) return null;
      const sampled = await scheduleOf(command).sample(command.mark as string | undefined);
      if (sampled.error !== undefined) throw new Error(sampled.error);
      return sampled.value;
    },
    start: (command) => {
      const everyMs = Number(command.everyMs);
      if (!(everyMs >= 1)) throw new Error(`everyMs is ${String(command.everyMs)}, not a number of at least 1`);
      scheduleOf(command).start(everyMs);
    },
    halt: (command) => scheduleOf(command).halt(),
    write: (command) => {
      mkdirSync(dirname(String(command.path)), { recursive: true });
      writeFileSync(String(command.path), String(command.text), command.encoding === 'base64' ? 'base64' : 'utf8');
    },
    'ledger-hold': (command) => holds.hold(String(command.fault), String(command.path)),
    'ledger-let-go': (command) => holds.letGo(String(command.fault)),
    http: (command) => requestOnce(command as unknown as HttpRequest),
    sql: (command) => runSql(String(command.path), command.statements as readonly SqlStatement[]),
  };
});
