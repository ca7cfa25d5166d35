// The view through an HTTP endpoint of the system: its status page, from which gauges are taken.
import type { Options } from '../model/fields.ts';
import { textOption } from '../model/fields.ts';
import type { HttpValue } from '../model/samples.ts';
import { requestOnce } from './http-request.ts';
import type { ProbeDefinition, ProbeView } from './probe.ts';

const LIMIT_MS = 2_000;
const STEP = /^(?:\.([A-Za-z_][\w-]*)|\[(\d+)\])/;

/**
 * Reads `$.app.processes.idle` or `$.workers[0].state` out of parsed JSON.
 * @returns null where the path leads nowhere
 * @throws Error when the text is no such path
 */
export const selectPath = (value: unknown, path: string): unknown => {
  let rest = path.startsWith('$') ? path.slice(1) : '?';
  let at: unknown = value;
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (!step) throw new Error(`"${path}" is not a path such as $.app.idle or $.workers[0]`);
    const key = step[1] ?? Number(step[2]);
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string | number, unknown>)[key] : undefined;
    rest = rest.slice(step[0].length);
  }
  return at ?? null;
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error(`the answer is not JSON, it begins with ${JSON.stringify(body.slice(0, 60))}`);
  }
};

const open = (config: Options): ProbeView => {
  const url = textOption(config, 'url');
  const headers = (config.headers ?? {}) as Readonly<Record<string, string>>;
  const select = Object.entries((config.select ?? {}) as Readonly<Record<string, string>>);
  const sample = async (): Promise<HttpValue> => {
    const { status, body } = await requestOnce({ url, headers, limitMs: LIMIT_MS });
    const answer = select.length > 0 ? parse(body) : null;
    return { status, fields: Object.fromEntries(select.map(([name, path]) => [name, selectPath(answer, path)])) };
  };
  return { sample };
};

export const definition: ProbeDefinition = {
  kind: 'http',
  about: 'status and fields of a JSON page of the system',
  fields: {
    options: {
      url: { type: 'text', about: 'the page, as this process reaches it' },
      headers: { type: 'any', optional: true, about: 'request headers' },
      select: { type: 'any', optional: true, about: 'name to path: { idle: $.app.idle }' },
    },
  },
  example: { url: 'http://127.0.0.2:8000/status', select: { idle: '$.processes.idle' } },
  open,
};
