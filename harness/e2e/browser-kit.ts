// Pages of ours in a real browser, offline: Debian's Chromium, driven by playwright-core, which brings none of its own.
// Everything that a page may not do is kept as a complaint: the console, the policy, the network.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;

/** The browser of this machine, or null. */
export const chromiumPath = (path = process.env.PATH ?? ''): string | null =>
  NAMES.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name))).find((file) => existsSync(file)) ?? null;

/** Why tests with a browser cannot be run here, or null. */
export const whyNoBrowser = (): string | null => (chromiumPath() === null ? 'no Chromium is installed (apt-get install chromium)' : null);

/** @throws Error where there is none: ask `whyNoBrowser` before */
export const openBrowser = async (): Promise<Browser> => {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(whyNoBrowser()!);
  // Its own sandbox cannot be had by root, nor in most containers; what it opens are files that we have just written.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
};

export type Look = {
  readonly colourScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly hasScript?: boolean;
};

export type Opened = {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, breaches of the page's policy, and requests for anything but files. */
  readonly complaints: () => readonly string[];
  readonly close: () => Promise<void>;
};

/** A request that stays on this machine: the page itself, and what is written into it. */
const isLocal = (url: string): boolean => /^(file|data|blob):/.test(url);

/** Kept in the page, before anything of it runs: what breaks its policy, and tasks that held it up. As text: our types know no page. */
const WATCH = `
  window.hangupSeen = { breaches: [], longTasks: [] };
  document.addEventListener('securitypolicyviolation', (event) => hangupSeen.breaches.push(event.violatedDirective + ': ' + event.blockedURI));
  new PerformanceObserver((list) => hangupSeen.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
`;

const complain = async (context: BrowserContext, page: Page): Promise<string[]> => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (!isLocal(request.url())) complaints.push(`request for ${request.url()}`);
  });
  await context.route((url) => !isLocal(url.href), (route) => route.abort());
  return complaints;
};

/** A page of its own context: nothing is kept from another. */
export const openFile = async (browser: Browser, file: string, look: Look = {}): Promise<Opened> => {
  const context = await browser.newContext({
    offline: true,
    colorScheme: look.colourScheme ?? 'light',
    // Nothing glides while its place is measured.
    reducedMotion: 'reduce',
    viewport: { width: look.width ?? 1280, height: look.height ?? 900 },
    javaScriptEnabled: look.hasScript ?? true,
  });
  const page = await context.newPage();
  const complaints = await complain(context, page);
  await context.addInitScript(WATCH);
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load', timeout: 30_000 });
  return { page, complaints: () => complaints, close: () => context.close() };
};

/** Resolves when the script of report.html has painted. @throws Error with what the page says where it could not */
export const whenReady = async (page: Page): Promise<void> => {
  await page.locator('html[data-ready], #no-live:not([hidden])').first().waitFor({ state: 'attached', timeout: 30_000 });
  const note = page.locator('#no-live');
  if (await note.isVisible()) throw new Error(`${await note.textContent()}`);
};

/** What an expression comes to in the page, whatever the page's policy. */
export const inPage = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression);

/** Breaches of the page's own policy, as the page was told of them. */
export const breachesOf = (page: Page): Promise<readonly string[]> => inPage(page, 'hangupSeen.breaches');

/** How long each task took that held the page up for more than 50 ms, ms; those told until now are then forgotten. */
export const takeLongTasks = (page: Page): Promise<readonly number[]> =>
  // The browser tells of a task after it, in a task of its own.
  inPage(page, 'new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(() => done(hangupSeen.longTasks.splice(0)), 50)), 50))');

type Rule = { readonly id: string; readonly help: string; readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[] };

/** One line for each rule that the page breaks, with the first elements that do. */
export const axeViolations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const rules = await inPage<readonly Rule[]>(page, 'axe.run().then(({ violations }) => violations)');
  return rules.map(({ id, help, nodes }) => {
    const where = nodes.slice(0, 5).map(({ target, failureSummary = '' }) => `${target.join(' ')} (${failureSummary.split('\n').slice(1).join('; ').trim()})`);
    return `${id}: ${help}: ${where.join(' | ')}`;
  });
};

/** Pictures of the latest tests, to be looked at when one fails. */
export const PICTURES = join(tmpdir(), 'hangup-pictures');

/** Of a picture of the page, kept under that name: how many colours are in it, and which share of it has the most frequent one. */
export const coloursOf = async (page: Page, name: string): Promise<{ readonly colours: number; readonly mostFrequent: number }> => {
  const png = (await page.screenshot({ fullPage: true, path: join(PICTURES, `${name}.png`) })).toString('base64');
  const blank = await page.context().newPage();
  const counted = await inPage<{ colours: number; mostFrequent: number }>(blank, `(async () => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0))]));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    const counts = new Map();
    const pixels = new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer);
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return { colours: counts.size, mostFrequent: Math.max(...counts.values()) / pixels.length };
  })()`);
  await blank.close();
  return counted;
};
