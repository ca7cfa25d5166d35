// The four published proxies as plain processes: verdicts equal what their users reported.
import { claimRealSystem } from './fixtures/real-systems-claims.ts';
import { REAL_SYSTEMS } from './fixtures/real-systems-grid.ts';

for (const card of Object.keys(REAL_SYSTEMS)) claimRealSystem(card, 'process');
