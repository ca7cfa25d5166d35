// Known is what the card says of this scenario and this version, and nothing else.
import { describe, expect, it } from 'vitest';
import { isInRange, isVersionRange, knownOf } from './known.ts';

const entry = (scenario: string, versions?: string) =>
  ({ scenario, violates: ['upstream-closed'], ...(versions === undefined ? {} : { versions }) });

const listed = (scenario: string, entries: readonly ReturnType<typeof entry>[], version: string | null = '1.18.1'): number =>
  knownOf({ known: entries, version }, scenario).length;

describe('versions', () => {
  it.each([
    ['1.18.1', '<=1.18.1'], ['1.9.0', '<1.18.1'], ['1.18.1', '1.18.1'], ['1.18', '=1.18.0'], ['1.3.5', '>=1.2 <1.4'],
    ['1.3.5', '>=1.2, <1.4'], ['2.0.0-rc1', '<2.0.0'], ['0.10.0', '>0.9.9'], ['2.6.12-1+deb12u3', '>=2.6.12'],
    ['v0.4.7', '<=0.4.7'], ['v0.4.7-rc1', '<0.4.7'],
  ])('%s is in %s', (version, range) => {
    expect(isVersionRange(range)).toBe(true);
    expect(isInRange(version, range)).toBe(true);
  });

  it.each([
    ['1.18.2', '<=1.18.1'], ['1.4.0', '>=1.2 <1.4'], ['1.18.1', '<1.9'], ['2.0.0', '<=2.0.0-rc1'], ['1.0', 'latest'],
    ['v0.9.0', '<=0.4.7'], ['main', '<=0.4.7'], ['latest', '<=0.4.7'], ['abcdef012345', '<=0.4.7'], ['0123456789ab', '<=0.4.7'],
    ['000000000001', '<=0.4.7'], ['main', '>=0.0'],
  ])('%s is not in %s', (version, range) => {
    expect(isInRange(version, range)).toBe(false);
  });

  it.each(['', 'latest', '^1.2.3', '<=', '<=1.2 or so'])('%j is no range', (range) => {
    expect(isVersionRange(range)).toBe(false);
  });
});

describe('scenarios', () => {
  it('means all cells of a matrix, or the one that is written out', () => {
    expect(listed('disconnect/endless[how=rst]', [entry('disconnect/endless')])).toBe(1);
    expect(listed('disconnect/endless[how=rst]', [entry('disconnect/endless[how=rst]')])).toBe(1);
    expect(listed('disconnect/endless[how=fin]', [entry('disconnect/endless[how=rst]')])).toBe(0);
    expect(listed('disconnect/endless-stays', [entry('disconnect/endless')])).toBe(0);
    expect(listed('disconnect/endless', [entry('disconnect/endless[how=rst]')])).toBe(0);
  });

  it('excuses other versions nothing, nor one that nobody knows', () => {
    expect(listed('disconnect/silent', [entry('disconnect/silent', '<=1.18.1')])).toBe(1);
    expect(listed('disconnect/silent', [entry('disconnect/silent', '<=1.18.0')])).toBe(0);
    expect(listed('disconnect/silent', [entry('disconnect/silent', '<=1.18.1')], null)).toBe(0);
    expect(listed('disconnect/silent', [entry('disconnect/silent')], null)).toBe(1);
  });
});
