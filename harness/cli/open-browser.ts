// A page in the user's own browser. `open` knows how that is done on each system; BROWSER, which people and remote shells
// set, goes before it, and where nobody can look nothing is started.
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import type { Terminal } from './command.ts';

type Environment = Terminal['environment'];

/** Why nothing can be shown here, or null. */
export const whyNotShown = (environment: Environment, platform: NodeJS.Platform = process.platform): string | null => {
  if (environment.CI !== undefined && environment.CI !== '' && environment.CI !== 'false') return 'CI';
  if (environment.BROWSER) return environment.BROWSER === 'none' ? 'BROWSER is none' : null;
  const needsDisplay = platform === 'linux' || platform.endsWith('bsd');
  const isWindowsBelow = environment.WSL_DISTRO_NAME !== undefined;
  return needsDisplay && !isWindowsBelow && !environment.DISPLAY && !environment.WAYLAND_DISPLAY ? 'no display' : null;
};

/** Commands of BROWSER in the order in which they are tried; `%s` stands for the address, which else comes last. */
export const commandsOf = (browser: string, address: string): readonly (readonly string[])[] =>
  browser.split(delimiter).map((each) => each.trim()).filter((each) => each !== '').map((each) => {
    const words = each.split(/\s+/);
    return each.includes('%s') ? words.map((word) => word.replaceAll('%s', address)) : [...words, address];
  });

/** @returns whether it could be started; what it does then is its own affair */
const started = ([program, ...words]: readonly string[], environment: Environment): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program!, words, { detached: true, stdio: 'ignore', env: environment });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });

/** @returns whether some browser was started */
export const openInBrowser = async (address: string, environment: Environment): Promise<boolean> => {
  if (environment.BROWSER) {
    for (const command of commandsOf(environment.BROWSER, address)) if (await started(command, environment)) return true;
    return false;
  }
  const { default: open } = await import('open');
  const child = await open(address).catch(() => null);
  return child !== null;
};
