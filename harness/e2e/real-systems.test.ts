// The published proxies and servers as plain processes: verdicts equal what their users reported.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { claimFindings, claimRealSystem } from './fixtures/real-systems-claims.ts';
import { REAL_SYSTEMS, programOf } from './fixtures/real-systems-grid.ts';

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

const missingFor = (card: string): string | null => {
  const program = programOf(card);
  if (program === null || folders.some((folder) => existsSync(join(folder, program)))) return null;
  if (process.env['CI'] === 'true') throw new Error(`these tests need ${program}: apt-get install ${program}`);
  return `${program} is not installed`;
};

for (const card of Object.keys(REAL_SYSTEMS)) claimRealSystem(card, 'process', missingFor(card));
claimFindings('process', missingFor);
