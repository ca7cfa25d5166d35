// What every page of ours must be in a real browser, whatever it shows: quiet, offline, readable in both colour schemes and
// on a telephone, usable without sight.
import { parse } from 'node:path';
import { axeViolations, breachesOf, coloursOf, inPage, openFile } from './browser-kit.ts';
import type { Browser, Page } from './browser-kit.ts';

/** Widths of a desk and of a telephone, px. */
export const WIDTHS = [1280, 400] as const;

/** Texts that lie over each other, among the elements that a selector names. */
export const overlaps = (page: Page, selector: string): Promise<readonly string[]> =>
  inPage(page, `(() => {
    const boxes = [...document.querySelectorAll(${JSON.stringify(selector)})]
      .map((element) => ({ text: element.textContent.trim(), box: element.getBoundingClientRect() }))
      .filter(({ text, box }) => text !== '' && box.width > 0 && box.height > 0);
    const found = [];
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > 1 && down > 2) found.push(a.text + ' over ' + b.text);
      }
    }
    return found;
  })()`);

/** Elements that reach beyond the page's width and cannot be scrolled to inside a box of their own. */
const tooWide = (page: Page): Promise<readonly string[]> =>
  inPage(page, `(() => {
    const isScrolled = (element) => element && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX) || isScrolled(element.parentElement));
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isScrolled(element.parentElement) && getComputedStyle(element).clipPath === 'none')
      .map((element) => element.tagName + '.' + (element.getAttribute('class') ?? '')).slice(0, 5);
  })()`);

/** Every fault of a page that needs no knowledge of what it shows, in one line each. */
export const faultsOf = async (browser: Browser, file: string, ready?: (page: Page) => Promise<unknown>): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const colourScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      const { page, complaints, close } = await openFile(browser, file, { colourScheme, width });
      await ready?.(page);
      const { colours, mostFrequent } = await coloursOf(page, `${parse(file).name}-${colourScheme}-${width}`);
      faults.push(...[
        ...complaints(), ...(await breachesOf(page)), ...(await tooWide(page)).map((each) => `reaches beyond the page: ${each}`),
        ...(await axeViolations(page)), ...(colours < 20 || mostFrequent > 0.995 ? [`blank: ${colours} colours, ${mostFrequent} of it one`] : []),
      ].map((fault) => `${colourScheme}, ${width} px: ${fault}`));
      await close();
    }
  }
  return faults;
};

/** What is behind everything, as the eye sees it: `[r, g, b]`. */
export const groundOf = async (page: Page): Promise<readonly number[]> => {
  const colour = await inPage<string>(page, 'getComputedStyle(document.body).backgroundColor');
  return [...colour.matchAll(/\d+/g)].slice(0, 3).map(([each]) => Number(each));
};
