// Bundles that are kept and what they take on the disk, the folders of their groups with them: some KiB each, and a night has thousands.
import { dirname } from 'node:path';
import type { Worth } from '../../model/soak.ts';

export type Kept = {
  readonly folder: string;
  readonly bytes: number;
  /** Of the folder that it shares with its group: counted once, and as long as one of them is kept. */
  readonly groupBytes?: number;
  readonly worth: Worth;
  readonly order: number;
};

export type Shelf = {
  readonly all: ReadonlyMap<string, Kept>;
  readonly bytes: () => number;
  readonly add: (kept: Kept) => void;
  readonly forget: (kept: Kept) => void;
};

export const createShelf = (): Shelf => {
  const all = new Map<string, Kept>();
  const groups = new Map<string, { bundles: number; readonly bytes: number }>();
  let bytes = 0;
  return {
    all,
    bytes: () => bytes,
    add: (kept: Kept): void => {
      const group = groups.get(dirname(kept.folder)) ?? { bundles: 0, bytes: kept.groupBytes ?? 0 };
      groups.set(dirname(kept.folder), group);
      if (group.bundles === 0) bytes += group.bytes;
      group.bundles += 1;
      all.set(kept.folder, kept);
      bytes += kept.bytes;
    },
    forget: ({ folder, ...kept }: Kept): void => {
      if (!all.delete(folder)) return;
      bytes -= kept.bytes;
      const group = groups.get(dirname(folder))!;
      group.bundles -= 1;
      if (group.bundles > 0) return;
      groups.delete(dirname(folder));
      bytes -= group.bytes;
    },
  };
};
