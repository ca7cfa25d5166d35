// How soon report.html of a run of an hour, with a hundred thousand observations, is painted in a browser, beside a page of the
// same size whose script only reads as much JSON.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../model/median.ts';
import { formatMs } from '../model/time.ts';
import { interleave, spread } from './measure.ts';
import type { Measure } from './measure.ts';

const ROUNDS = 7;
const AIM_MS = 2_000;

const plainPage = (size: number): string => [
  '<!doctype html><html lang="en"><title>plain</title><body><script type="application/json" id="data">',
  JSON.stringify(Array.from({ length: Math.floor(size / 8) }, (_, index) => index % 100_000)).padEnd(size),
  '</script><script>JSON.parse(document.getElementById("data").textContent); document.documentElement.dataset.ready = "yes"</script>',
].join('');

const run: Measure['run'] = async () => {
  const { inPage, openBrowser, openFile, whenReady, whyNoBrowser } = await import('../e2e/browser-kit.ts');
  const why = whyNoBrowser();
  if (why !== null) return { measured: why, isMet: null };
  const [{ writeLongBundle }, { pagesOf }, { rightIn }] = await Promise.all([
    import('../e2e/fixtures/long-bundle.ts'), import('../reports/pages.ts'), import('../cli/right-of.ts'),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bench-'));
  const browser = await openBrowser();
  try {
    const [ours, theirs] = [join(folder, 'report.html'), join(folder, 'plain.html')];
    writeFileSync(ours, (await pagesOf(await writeLongBundle(join(folder, 'bundle')), rightIn)).html);
    const { length } = readFileSync(ours);
    writeFileSync(theirs, plainPage(length));
    const timeOf = async (file: string): Promise<number> => {
      const { page, close } = await openFile(browser, file);
      await whenReady(page);
      const tookMs = await inPage<number>(page, 'performance.getEntriesByType("navigation")[0].loadEventEnd');
      await close();
      return tookMs;
    };
    const pairs = await interleave(ROUNDS, () => timeOf(ours), () => timeOf(theirs));
    const ourMs = median(pairs.map((pair) => pair.ours));
    const ratio = spread(pairs.map((pair) => pair.ours / pair.theirs), 1);
    return { measured: `${formatMs(ourMs)} for ${(length / 1e6).toFixed(1)} MB; ${ratio} times a plain page of that size`, isMet: ourMs < AIM_MS };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

export const longPage: Measure = {
  name: 'long-page',
  work: 'report.html of an hour, 100,000 observations, in Chromium',
  beside: 'a plain page of the same size',
  aim: 'below 2 s',
  run,
};
