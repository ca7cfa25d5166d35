// What a request gets: the behaviour that its marker was promised, the upstream's own, or one of
// the two answers that every provider has: its list of models, and "not found".
import { markersIn } from '../harness/model/marker.ts';
import type { Options } from '../harness/model/fields.ts';
import type { BehaviourDefinition, Instruction } from './behaviour.ts';
import { behaviours } from './behaviours/registry.ts';
import type { Head } from './http/head.ts';
import { readOptions, unknownError } from './options.ts';
import { shapeFor } from './shapes/registry.ts';
import type { ShapeDefinition } from './shapes/shape.ts';
import type { Upstream } from './upstream.ts';

/** A behaviour with its options filled in and its program made. */
export type Behaviour = { readonly kind: string; readonly definition: BehaviourDefinition; readonly program: readonly Instruction[] };

export type Choice = {
  readonly marker: string | null;
  readonly kind: string;
  readonly program: readonly Instruction[];
  readonly shape: ShapeDefinition;
  /** The request said `"stream": false`. */
  readonly whole: boolean;
};

const json = (status: number, value: object): readonly Instruction[] => [
  { do: 'head', status, headers: { 'content-type': 'application/json' } },
  { do: 'body', text: JSON.stringify(value) },
  { do: 'finish' },
];

const MODELS = json(200, { object: 'list', data: [{ id: 'gpt-test', object: 'model', created: 0, owned_by: 'hangup' }] });
const NOT_FOUND = json(404, { error: { message: 'no such path', type: 'invalid_request_error', param: null, code: 'not_found' } });
const MODELS_PATHS = ['/v1/models', '/models'];

/**
 * Makes a behaviour of what a command names.
 * @throws Error with code `unknown-behaviour` or `bad-option`
 */
export const readBehaviour = (named: { readonly kind: string; readonly options?: Options }): Behaviour => {
  const definition = behaviours.get(named.kind);
  if (!definition) throw unknownError('behaviour', named.kind, behaviours.kinds);
  return { kind: named.kind, definition, program: definition.program(readOptions(definition.fields, named.options)) };
};

/** The path of a request target, without query and, where a proxy's client sent it, without origin. */
export const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?]*/, '').replace(/[?#].*$/s, '') || '/';

/** The first marker that was promised a behaviour, or else the first one, or null. */
const markerOf = (upstream: Upstream, head: Head, body: string): string | null => {
  const markers = [...markersIn(head.target), ...markersIn(head.fields), ...markersIn(body)];
  const chosen = markers.find((marker) => upstream.expected.has(marker)) ?? markers[0];
  // Copied, since a piece of a text keeps the whole of it in memory for as long as the exchange lives.
  return chosen === undefined ? null : Buffer.from(chosen, 'latin1').toString('latin1');
};

const saysNoStream = (body: string): boolean => {
  if (!/"stream"\s*:\s*false/.test(body)) return false;
  try {
    return (JSON.parse(body) as { stream?: unknown } | null)?.stream === false;
  } catch {
    return false;
  }
};

/**
 * Chooses by path, marker and `stream` flag; a body that says nothing of a stream gets one, as a plain proxy's may. A
 * marker makes an exchange of any path, so that plain proxies can be judged too.
 */
export const choose = (upstream: Upstream, head: Head, body: Buffer): Choice => {
  const path = pathOf(head.target);
  const shape = upstream.shape ?? shapeFor(path);
  const asksForModels = MODELS_PATHS.includes(path) && (head.method === 'GET' || head.method === 'HEAD');
  // A gateway may send its client's headers along when it asks for the models: still a side request.
  if (asksForModels && markersIn(head.target).length === 0) return { marker: null, kind: 'models', program: MODELS, shape, whole: true };
  const text = body.toString('latin1');
  const marker = markerOf(upstream, head, text);
  if (marker === null && !shape.paths.includes(path)) return { marker, kind: 'not-found', program: NOT_FOUND, shape, whole: true };
  const { kind, program } = (marker === null ? undefined : upstream.expected.get(marker)) ?? upstream.behaviour;
  return { marker, kind, program, shape, whole: saysNoStream(text) };
};
