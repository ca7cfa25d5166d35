// Whatever arrives is taken for life.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'comments-count-as-progress',
  about: 'keepalive comments push the progress deadline back',
  apply: (behaviour) => ({ ...behaviour, isProgress: (kind) => kind === 'comment' || behaviour.isProgress(kind) }),
};
