// The four published proxies as plain processes: verdicts equal what their users reported.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { claimRealSystem } from './fixtures/real-systems-claims.ts';
import { REAL_SYSTEMS } from './fixtures/real-systems-grid.ts';

const hasHaproxy = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, 'haproxy')));
if (!hasHaproxy && process.env['CI'] === 'true') throw new Error('these tests need haproxy: apt-get install haproxy');

for (const card of Object.keys(REAL_SYSTEMS)) {
  claimRealSystem(card, 'process', card.startsWith('haproxy') && !hasHaproxy ? 'haproxy is not installed' : null);
}
