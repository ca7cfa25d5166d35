// report.html in a real browser, made from a committed bundle of a failed run: what it looks like, how it is used by mouse,
// by keyboard and without a script.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLogs } from '../bundle/read-logs.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { renderHtml } from '../reports/html/render-html.ts';
import { faultsOf, groundOf, overlaps, WIDTHS } from './browser-checks.ts';
import { inPage, openBrowser, openFile, whenReady, whyNoBrowser } from './browser-kit.ts';
import type { Browser, Look, Opened, Page } from './browser-kit.ts';
import { ROOT, temporaryFolder } from './test-kit.ts';

const why = whyNoBrowser();
if (why !== null && process.env.CI === 'true') throw new Error(`these tests need a browser: ${why}`);

const GOLDEN = join(ROOT, 'evidence', 'golden', 'failed');

/** What the timeline shows now. */
type Shown = { readonly cursor: string; readonly lane: string; readonly from: number; readonly to: number };
const shown = (page: Page): Promise<Shown> =>
  inPage(page, '(({ cursor, lane, from, to }) => ({ cursor, lane, from: Number(from), to: Number(to) }))(document.getElementById("timeline").dataset)');

describe.skipIf(why !== null)(`report.html in a browser${why === null ? '' : ` (${why})`}`, () => {
  let browser: Browser;
  let folder = '';
  let file = '';
  let bundle: Bundle;

  const open = async (look: Look = {}): Promise<Opened> => {
    const opened = await openFile(browser, file, look);
    if (look.hasScript !== false) await whenReady(opened.page);
    return opened;
  };
  const timeOf = (name: string): number => bundle.timeline.all.find(({ actor, seq }) => `${actor}#${seq}` === name)!.atMs;

  beforeAll(async () => {
    folder = temporaryFolder(true);
    bundle = await readBundle(GOLDEN);
    file = join(folder, 'report.html');
    writeFileSync(file, renderHtml(bundle, await readLogs(GOLDEN)));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is quiet, offline and accessible, dark and light, wide and narrow', async () => {
    expect(await faultsOf(browser, file, whenReady)).toEqual([]);
  });

  test.each(WIDTHS)('has its timeline within a page of %i px, painted in full', async (width) => {
    const { page, close } = await open({ width });
    const box = (await page.locator('#timeline').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(await inPage<number>(page, 'document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const painted = await inPage<number>(page, `(() => {
      const canvas = document.getElementById('plot');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(painted).toBeGreaterThan(20);
    await close();
  });

  test('follows the colour scheme, and the reader who wants the other', async () => {
    const { page, close } = await open({ colourScheme: 'light' });
    expect(Math.min(...(await groundOf(page)))).toBeGreaterThan(240);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(Math.max(...(await groundOf(page)))).toBeLessThan(40);
    await page.locator('#theme').click();
    expect(Math.min(...(await groundOf(page)))).toBeGreaterThan(240);
    await close();
  });

  test('is whole without a script: picture, claims, moments and logs, and no control that would do nothing', async () => {
    const { page, complaints, close } = await open({ hasScript: false });
    const picture = page.locator('#still svg.picture');
    expect(await picture.isVisible()).toBe(true);
    expect((await picture.boundingBox())!.height).toBeGreaterThan(150);
    for (const { id } of bundle.verdicts.verdicts) expect(await page.getByText(id, { exact: true }).first().isVisible()).toBe(true);
    await page.locator('#events-title + details summary').click();
    expect(await page.getByRole('table').filter({ hasText: 'gone' }).last().isVisible()).toBe(true);
    expect(await page.locator('#live').isVisible()).toBe(false);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('has no labels in its picture that lie over each other', async () => {
    const { page, close } = await open({ hasScript: false });
    expect(await overlaps(page, '#still svg text')).toEqual([]);
    await close();
  });

  test('is reached by Tab in the order in which it is read', async () => {
    const { page, close } = await open();
    const order: string[] = [];
    for (let press = 0; press < 60 && order.at(-1) !== 'timeline'; press += 1) {
      await page.keyboard.press('Tab');
      order.push(await inPage(page, `(({ id, dataset, className, textContent }) => id || (dataset.showClaim && 'claim') || (dataset.key && 'tool') || className || textContent.slice(0, 20))(document.activeElement)`));
    }
    expect(order.slice(0, 2)).toEqual(['skip', 'theme']);
    expect(order.indexOf('claim')).toBeLessThan(order.indexOf('tool'));
    expect(order.at(-1)).toBe('timeline');
    await close();
  });

  test('steps through observations by arrow keys, and says each', async () => {
    const { page, complaints, close } = await open();
    await page.locator('#timeline').focus();
    await page.keyboard.press('Home');
    const seen: string[] = [];
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('ArrowRight');
      const { cursor } = await shown(page);
      expect(await page.locator('#moment').textContent()).toContain(cursor);
      expect((await page.locator('#said').textContent())!.length).toBeGreaterThan(5);
      seen.push(cursor);
    }
    const times = seen.map(timeOf);
    expect(new Set(seen).size).toBe(6);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    await page.keyboard.press('ArrowLeft');
    expect((await shown(page)).cursor).toBe(seen[4]);
    await page.keyboard.press('End');
    expect(timeOf((await shown(page)).cursor)).toBeGreaterThan(times.at(-1)!);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('chooses a lane by arrow keys, and then steps through that alone', async () => {
    const { page, close } = await open();
    await page.locator('#timeline').focus();
    const lanes: string[] = [];
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press('ArrowDown');
      lanes.push((await shown(page)).lane);
    }
    expect(new Set(lanes).size).toBe(3);
    for (let press = 0; press < 20 && (await shown(page)).lane !== 'client.alice'; press += 1) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    for (let press = 0; press < 4; press += 1) {
      await page.keyboard.press('ArrowRight');
      expect((await shown(page)).cursor).toMatch(/^client\.alice#/);
    }
    await close();
  });

  test('zooms by keys and by the wheel, and comes back by Escape', async () => {
    const { page, close } = await open();
    const span = async (): Promise<number> => {
      const { from, to } = await shown(page);
      return to - from;
    };
    const first = await shown(page);
    await page.locator('#timeline').focus();
    await page.keyboard.press('+');
    const near = await span();
    expect(near).toBeLessThan(first.to - first.from);
    await page.keyboard.press('-');
    expect(await span()).toBeGreaterThan(near);
    await page.keyboard.press('0');
    const whole = await shown(page);
    expect(whole.to - whole.from).toBeGreaterThanOrEqual(bundle.timeline.all.at(-1)!.atMs);
    const box = (await page.locator('#plot').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
    await page.mouse.wheel(0, -300);
    await expect.poll(span, { message: 'the wheel to zoom' }).toBeLessThan(whole.to - whole.from);
    await page.keyboard.press('Escape');
    await expect.poll(async () => Math.round((await shown(page)).from), { message: 'Escape to come back' }).toBe(Math.round(first.from));
    expect(Math.round(await span())).toBe(Math.round(first.to - first.from));
    await close();
  });

  test('tells of what lies under the pointer, inside the page, until it leaves', async () => {
    // Tall enough for all lanes: what lies below the edge of a window has no pointer.
    const { page, close } = await open({ width: 400, height: 4_000 });
    const box = (await page.locator('#plot').boundingBox())!;
    const told = new Set<string>();
    const places = [0.5, 0.6, 0.75, 0.9].flatMap((share) =>
      Array.from({ length: Math.floor((box.height - 60) / 20) }, (_, row) => [box.x + box.width * share, box.y + 55 + row * 20] as const));
    for (const [x, y] of places) {
      await page.mouse.move(x, y);
      if (!(await page.locator('#tip').isVisible())) continue;
      told.add((await page.locator('#tip').textContent())!);
      const tip = (await page.locator('#tip').boundingBox())!;
      expect(tip.x).toBeGreaterThanOrEqual(0);
      expect(tip.x + tip.width).toBeLessThanOrEqual(400);
    }
    expect(told.size).toBeGreaterThan(2);
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator('#tip').isVisible(), { message: 'the hover text to go' }).toBe(false);
    await close();
  });

  test('a claim leads to its interval and its observations, and a fact to its moment', async () => {
    const { page, close } = await open();
    const claim = bundle.verdicts.verdicts.find(({ outcome, interval }) => outcome === 'violated' && interval)!;
    await page.locator('#timeline').focus();
    await page.keyboard.press('Home');
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('+');
    await page.getByRole('link', { name: `Show in the timeline: ${claim.id}`, exact: true }).click();
    const { from, to } = await shown(page);
    expect(from).toBeLessThanOrEqual(claim.interval!.fromMs);
    expect(to).toBeGreaterThanOrEqual(claim.interval!.toMs);
    expect(await page.locator('li.finding.chosen h3').textContent()).toBe(claim.id);
    expect(await inPage(page, 'document.activeElement.id')).toBe('timeline');
    const box = (await page.locator('#timeline').boundingBox())!;
    expect(box.y).toBeLessThan(900);
    await page.locator('li.finding.chosen summary').click();
    const fact = page.locator('li.finding.chosen details a[data-ref]').first();
    const name = await fact.textContent();
    await fact.click();
    expect((await shown(page)).cursor).toBe(name);
    expect(claim.evidence).toContain(name);
    await close();
  });

  test('shows the log beside the axis at the chosen moment', async () => {
    const { page, close } = await open({ width: 1500 });
    expect(await page.locator('#log-panel').isVisible()).toBe(true);
    await page.locator('#timeline').focus();
    await page.keyboard.press('End');
    const now = page.locator('#log-lines .now');
    await expect.poll(() => now.count(), { message: 'a line of the log to be marked' }).toBeGreaterThan(0);
    const [line, panel] = [(await now.first().boundingBox())!, (await page.locator('#log-lines').boundingBox())!];
    expect(line.y).toBeGreaterThanOrEqual(panel.y - 1);
    expect(line.y).toBeLessThan(panel.y + panel.height);
    await close();
  });
});
