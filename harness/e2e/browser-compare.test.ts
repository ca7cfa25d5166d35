// The page of `hangup compare` in a real browser, made from two committed bundles: a good and a bad run of one scenario.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { compareRuns } from '../reports/compare/comparison.ts';
import { renderComparison } from '../reports/compare/page.ts';
import { faultsOf, overlaps } from './browser-checks.ts';
import { inPage, openBrowser, openFile, whyNoBrowser } from './browser-kit.ts';
import type { Browser } from './browser-kit.ts';
import { ROOT, temporaryFolder } from './test-kit.ts';

const why = whyNoBrowser();
if (why !== null && process.env.CI === 'true') throw new Error(`these tests need a browser: ${why}`);

describe.skipIf(why !== null)(`the comparison in a browser${why === null ? '' : ` (${why})`}`, () => {
  let browser: Browser;
  let folder = '';
  let file = '';

  beforeAll(async () => {
    folder = temporaryFolder(true);
    const [a, b] = [await readBundle(join(ROOT, 'evidence/golden/failed')), await readBundle(join(ROOT, 'evidence/golden/passed'))];
    file = join(folder, 'compare.html');
    writeFileSync(file, renderComparison(compareRuns({ name: 'failed', input: a }, { name: 'passed', input: b }, null), a, b));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is quiet, offline and accessible, dark and light, wide and narrow', async () => {
    expect(await faultsOf(browser, file)).toEqual([]);
  });

  test('needs no script, and has the mark of both pictures in one line above the other', async () => {
    const { page, close } = await openFile(browser, file, { hasScript: false });
    const marks = await inPage<readonly number[]>(page, `[...document.querySelectorAll('svg.picture path.line-mark')].map((line) => Math.round(line.getBoundingClientRect().x))`);
    expect(marks.length).toBeGreaterThan(1);
    expect(new Set(marks).size).toBe(1);
    for (const which of ['a', 'b']) expect(await overlaps(page, `#picture-${which} svg text`)).toEqual([]);
    expect(await page.locator('tr.differs').count()).toBeGreaterThan(2);
    await close();
  });

  test('has pictures that are scrolled by keys where the page is narrow', async () => {
    const { page, close } = await openFile(browser, file, { width: 400 });
    await page.locator('#picture-b').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => inPage(page, 'document.getElementById("picture-b").scrollLeft'), { message: 'the picture to scroll' }).toBeGreaterThan(0);
    await close();
  });
});
