// What the last run left behind is taken for work that goes on.
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'restart-keeps-reservations',
  about: 'active reservations are adopted at the start and renewed for ever, though nobody works on them',
  apply: (behaviour) => ({
    ...behaviour,
    onStart: ({ ledger }) =>
      besideLedger(ledger, (database) => database.prepare("SELECT id FROM reservations WHERE state = 'active'").all())
        .map((row) => (row as { id: string }).id),
  }),
};
