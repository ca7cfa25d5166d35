// Named locks: what holds one runs beside nobody else who holds it. In a card, of every run of that system; in a
// scenario, of that scenario.
import { z } from 'zod';
import { delegate } from './issues.ts';
import { editorViewOf, withEditorView } from './editor-view.ts';

/** `read` runs beside other readers of the same name, `write` beside nobody. */
export type Lock = { readonly name: string; readonly mode: 'read' | 'write' };

/** Short enough for the name of a socket, which it becomes. */
const lockName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,39}$/, 'a lock is letters, digits, dots and hyphens, at most 40');
const readers = z.strictObject({ read: lockName.describe('Shared with whoever only reads it too') });

const lock = withEditorView(
  z.unknown().transform((value, context): Lock => {
    if (typeof value !== 'object' || value === null) {
      const name = delegate<string>(lockName, value, context);
      return name === undefined ? z.NEVER : { name, mode: 'write' };
    }
    const given = delegate<{ readonly read: string }>(readers, value, context);
    return given === undefined ? z.NEVER : { name: given.read, mode: 'read' };
  }),
  () => ({ anyOf: [editorViewOf(lockName), editorViewOf(readers)] }),
);

export const locksSchema = z.array(lock).max(20);

/** Of several lists one, by name: who writes and reads, writes. */
export const joinLocks = (...lists: readonly (readonly Lock[])[]): readonly Lock[] => {
  const modes = new Map<string, Lock['mode']>();
  for (const { name, mode } of lists.flat()) if (modes.get(name) !== 'write') modes.set(name, mode);
  return [...modes].map(([name, mode]) => ({ name, mode })).sort((a, b) => (a.name < b.name ? -1 : 1));
};
