// The four published proxies as plain processes: verdicts equal what their users reported.
import { claimRealSystem } from './real-systems-claims.ts';
import { REAL_SYSTEMS } from './real-systems-grid.ts';

for (const card of Object.keys(REAL_SYSTEMS)) claimRealSystem(card, 'process');
