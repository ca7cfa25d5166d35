// A link to a new issue holds what fits, leads to one forge, and is no link where nothing fits.
import { expect, it } from 'vitest';
import { MAXIMUM_LINK, newIssueLink, repositoryOf } from './link.ts';

it('links to a new issue with what fits, and to none with what does not', () => {
  const small = { title: 't #1', body: 'b & c', short: 's' };
  const whole = newIssueLink('owner/name', small)!;
  expect(whole.isWhole).toBe(true);
  const url = new URL(whole.url);
  expect([url.origin, url.pathname, url.searchParams.get('title'), url.searchParams.get('body')]).toEqual([
    'https://github.com',
    '/owner/name/issues/new',
    't #1',
    'b & c',
  ]);
  const less = newIssueLink('owner/name', { ...small, body: 'x'.repeat(MAXIMUM_LINK) })!;
  expect(less.isWhole).toBe(false);
  expect(new URL(less.url).searchParams.get('body')).toBe('s');
  expect(newIssueLink('owner/name', { title: 't', body: 'x'.repeat(MAXIMUM_LINK), short: 'y'.repeat(MAXIMUM_LINK) })).toBeNull();
});

it('knows a repository by its name and by its address, and nothing else', () => {
  expect(repositoryOf('http-party/node-http-proxy')).toBe('http-party/node-http-proxy');
  expect(repositoryOf('https://github.com/http-party/node-http-proxy.git')).toBe('http-party/node-http-proxy');
  for (const wrong of ['', 'name', 'a/b/c', 'https://evil.example/a/b', 'a/b?x=y', 'a b/c']) expect(repositoryOf(wrong)).toBeNull();
});
