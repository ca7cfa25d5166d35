// Which versions of Debian's packages this machine has, for the evidence: a card that is a program of the machine's
// says nothing of them itself.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Card } from './card.ts';

const run = promisify(execFile);
const LIMIT_MS = 5_000;

/**
 * @returns `package nginx` to its version, of every package that the cards name; those that dpkg does not know are left
 * out, as all are where there is no dpkg
 */
export const debianVersions = async (cards: readonly { readonly install: Pick<Card['install'], 'apt'> }[]): Promise<Readonly<Record<string, string>>> => {
  const names = [...new Set(cards.flatMap(({ install }) => install.apt))].sort();
  const found = await Promise.all(names.map(async (name) => {
    const words = ['--show', '--showformat', '${db:Status-Status} ${Version}', name];
    const { stdout } = await run('dpkg-query', words, { timeout: LIMIT_MS }).catch(() => ({ stdout: '' }));
    const [state, version] = stdout.split(' ');
    return state === 'installed' && version !== undefined ? [[`package ${name}`, version] as const] : [];
  }));
  return Object.fromEntries(found.flat());
};
