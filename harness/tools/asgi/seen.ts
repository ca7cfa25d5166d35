// What bundles of images/asgi-proxy say about who notices a leave: by implementation of HTTP, uvicorn, Starlette, state and leave.
import type { Bundle } from '../../bundle/read.ts';

export const STATES = ['header-wait', 'silent', 'endless', 'never-reads'] as const;
export const LEAVES = ['fin', 'half-close', 'rst'] as const;
export type State = (typeof STATES)[number];
export type Leave = (typeof LEAVES)[number];

/**
 * `noticed`: the upstream was closed and the reservation ended. `unnoticed`: neither, and its lease was being renewed.
 * `part`: one of them. `open`: that could not be judged. `differs`: two runs said different things.
 */
export type Said = 'noticed' | 'unnoticed' | 'part' | 'open' | 'differs';

/** One leave, as one run saw it. */
export type Row = {
  readonly http: string;
  readonly uvicorn: string;
  readonly starlette: string;
  readonly state: State;
  readonly leave: Leave;
  readonly said: Said;
  /** All at once, or this state alone in its run. */
  readonly isAlone: boolean;
};

const CLAIMS = ['upstream-closed', 'billing-terminal', 'renewal-stopped'];

/** @param outcomes of the three claims about one leave */
export const saidBy = (outcomes: readonly string[]): Said => {
  if (outcomes.length !== CLAIMS.length) return 'open';
  const [closed, ended, stopped] = outcomes;
  if (outcomes.every((outcome) => outcome === 'held')) return 'noticed';
  if (outcomes.every((outcome) => outcome === 'violated')) return 'unnoticed';
  // A machine that was too slow for judging leases may still have been watched closing, or keeping, all there was.
  if (stopped === 'inconclusive' && closed === ended && closed !== 'inconclusive') return closed === 'held' ? 'noticed' : 'unnoticed';
  return outcomes.includes('inconclusive') ? 'open' : 'part';
};

/** `leaves/silent` has one client, alice, and its leave is in its matrix; in `leaves/all-at-once` both are the client's name. */
const placeOf = (scenario: string, client: string, matrix: Readonly<Record<string, string>>): Pick<Row, 'state' | 'leave'> | null => {
  const file = scenario.replace(/\[.*$/, '').replace(/^.*\//, '');
  const name = file === 'all-at-once' ? client : `${file}-${matrix['how'] ?? ''}`;
  const state = STATES.find((each) => name.startsWith(`${each}-`));
  const leave = LEAVES.find((each) => name === `${state}-${each}`);
  return state && leave ? { state, leave } : null;
};

type Read = Pick<Bundle, 'manifest' | 'resolved' | 'verdicts'>;

/**
 * @param usual where the card stands that no axis moved
 * @returns a row for each leave; none for a control, or for a run that has no verdicts
 */
export const rowsOf = ({ manifest, resolved, verdicts }: Read, usual: Readonly<Record<string, string>>): readonly Row[] => {
  if (manifest.isControl || verdicts === null) return [];
  const at = { ...usual, ...resolved.run.coordinates };
  const about = verdicts.verdicts.filter(({ claim }) => CLAIMS.includes(claim));
  // In a file of one state `upstream-closed` need not name the only client.
  const byClient = Map.groupBy(about, ({ options }) => String(options['client'] ?? 'alice'));
  return [...byClient].flatMap(([client, own]) => {
    const place = placeOf(manifest.scenario, client, resolved.run.matrix);
    if (place === null) return [];
    const outcomes = CLAIMS.flatMap((claim) => own.filter((verdict) => verdict.claim === claim).map(({ outcome }) => outcome));
    const pair = { http: at['http']!, uvicorn: at['version']!, starlette: at['starlette']! };
    return [{ ...pair, ...place, said: saidBy(outcomes), isAlone: client === 'alice' }];
  });
};
