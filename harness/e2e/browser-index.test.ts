// The index of a set of runs in a real browser: what it looks like, how it is narrowed, and that it is whole without a script.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import { renderIndex } from '../reports/index-page.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { inPage, openBrowser, openFile, takeLongTasks, whyNoBrowser } from './browser-kit.ts';
import type { Browser, Page } from './browser-kit.ts';
import { faultsOf, groundOf } from './browser-checks.ts';
import { temporaryFolder } from './test-kit.ts';

const why = whyNoBrowser();
if (why !== null && process.env.CI === 'true') throw new Error(`these tests need a browser: ${why}`);

const HOWS = ['fin', 'half-close', 'rst', 'kill'] as const;

const summaryOf = (folder: string, at: number): ScenarioSummary => {
  const cell = `disconnect/endless[how=${HOWS[at % HOWS.length]},n=${at}]`;
  const isBad = at % 5 === 0;
  const verdicts = { ...VERDICTS, scenario: cell, outcome: isBad ? 'failed' : 'passed', verdicts: VERDICTS.verdicts.filter(({ outcome }) => isBad || outcome === 'held') } as const;
  return { ...summarise({ verdicts, run: RESOLVED.run, tookMs: 900 * at, folder: join(folder, `endless-how=${at} #`) }), cell, pages: ['report.html'] };
};

describe.skipIf(why !== null)(`the index in a browser${why === null ? '' : ` (${why})`}`, () => {
  let browser: Browser;
  let folder = '';
  const write = (count: number): string => {
    const summaries = Array.from({ length: count }, (_, at) => summaryOf(folder, at));
    const file = join(folder, `index-${count}.html`);
    writeFileSync(file, renderIndex({ summaries, exitCode: 1, tookMs: 61_000, folder }));
    return file;
  };
  const shownRows = (page: Page): Promise<number> => page.locator('#scenarios tbody tr:visible').count();

  beforeAll(async () => {
    folder = temporaryFolder(true);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is quiet, offline and accessible, dark and light, wide and narrow', async () => {
    expect(await faultsOf(browser, write(12))).toEqual([]);
  });

  test('follows the colour scheme', async () => {
    const grounds = await Promise.all((['light', 'dark'] as const).map(async (colourScheme) => {
      const { page, close } = await openFile(browser, write(3), { colourScheme });
      const ground = await groundOf(page);
      await close();
      return Math.max(...ground);
    }));
    expect(grounds[0]).toBeGreaterThan(240);
    expect(grounds[1]).toBeLessThan(40);
  });

  test('is narrowed by outcome, claim and words, says how many are left, and keeps it in its address', async () => {
    const { page, complaints, close } = await openFile(browser, write(40));
    expect(await shownRows(page)).toBe(40);
    await page.getByLabel('Outcome', { exact: true }).selectOption('failed');
    expect(await shownRows(page)).toBe(8);
    await page.getByLabel('Text').fill('HOW=RST endless');
    expect(await shownRows(page)).toBe(2);
    expect(await page.locator('output').textContent()).toBe('2 of 40 shown');
    await page.reload();
    expect(await shownRows(page)).toBe(2);
    expect(await page.getByLabel('Text').inputValue()).toBe('HOW=RST endless');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Claim that was not held').selectOption('renewal-stopped');
    expect(await shownRows(page)).toBe(8);
    await page.getByLabel('Outcome', { exact: true }).selectOption('passed');
    expect(await shownRows(page)).toBe(0);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('is used by the keyboard alone', async () => {
    const { page, close } = await openFile(browser, write(10));
    const focused = (): Promise<string> => inPage(page, 'document.activeElement.name || document.activeElement.textContent');
    const order: string[] = [];
    for (let press = 0; press < 5; press += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual(['outcome', 'claim', 'text', 'Show all', 'disconnect/endless[how=fin,n=0]']);
    await page.getByLabel('Text').focus();
    await page.keyboard.type('n=3');
    await page.keyboard.press('Enter');
    expect(await shownRows(page)).toBe(1);
    await close();
  });

  test('leads to the reports, whatever their folders are called', async () => {
    const home = join(folder, 'endless-how=0 #');
    mkdirSync(home);
    writeFileSync(join(home, 'report.html'), '<!doctype html><title>the report of it</title>');
    const { page, complaints, close } = await openFile(browser, write(10));
    await page.getByRole('link', { name: 'disconnect/endless[how=fin,n=0]' }).click();
    await page.waitForURL(/report\.html$/);
    expect(await page.title()).toBe('the report of it');
    expect(complaints()).toEqual([]);
    await close();
  });

  test('is whole without a script, and shows no controls that would do nothing', async () => {
    const { page, close } = await openFile(browser, write(10), { hasScript: false });
    expect(await shownRows(page)).toBe(10);
    expect(await page.locator('.controls').isVisible()).toBe(false);
    await close();
  });

  test('five hundred scenarios are narrowed without holding the page up', async () => {
    const { page, close } = await openFile(browser, write(500));
    expect(await shownRows(page)).toBe(500);
    await takeLongTasks(page);
    await page.getByLabel('Text').pressSequentially('n=12', { delay: 30 });
    expect(await page.locator('output').textContent()).toBe('11 of 500 shown');
    expect(Math.max(0, ...(await takeLongTasks(page)))).toBeLessThan(1_000);
    await close();
  });
});
