// Which versions a run was made of, as rows of a table: of the system first.
import type { Bundle } from '../../bundle/read.ts';
import { fewAlong } from '../../model/came-along.ts';
import { code, prose } from './safe.ts';
import type { Hide } from './safe.ts';

const SHOWN_OF_HASH = 12;
/** Packages that nobody named: an issue is read by people. */
const MOST_ALONG = 6;

const harnessText = ({ version, commit, dirty }: Bundle['manifest']['harness']): string =>
  version + (commit ? `, commit ${commit.slice(0, SHOWN_OF_HASH)}${dirty ? ' with changes' : ''}` : '');

export const versionRows = ({ manifest, resolved }: Pick<Bundle, 'manifest' | 'resolved'>, hide: Hide): readonly (readonly string[])[] => {
  const { run } = resolved;
  const { shown, more } = fewAlong(Object.entries(manifest.versions), ([name]) => name, MOST_ALONG);
  return [
    [
      'system',
      `${code(run.version === undefined ? run.card : `${run.card} ${run.version}`, hide)}${run.cardHash === undefined ? '' : ` (card ${code(run.cardHash.slice(0, SHOWN_OF_HASH), hide)})`}`,
    ],
    ...(run.defects.length > 0 ? [['planted', run.defects.map((name) => code(name, hide)).join(', ')]] : []),
    ['scenario', `${code(manifest.scenario, hide)} (${code(manifest.scenarioHash.slice(0, SHOWN_OF_HASH), hide)})`],
    ['hangup', code(harnessText(manifest.harness), hide)],
    ['runtime', code(manifest.runtime, hide)],
    ...shown.map(([name, value]) => [prose(name, hide), code(value, hide)]),
    ...(more > 0 ? [[`${more} more that came along`, 'in `manifest.json` of the evidence']] : []),
    ['run at', code(manifest.startedAt, hide)],
  ];
};
