// For the mutation of the judges alone: their own tests, in threads that are used again, since they touch nothing.
// The properties are left out: each of their tests runs hundreds of whole stories, so that one mutant would take
// as long as all others together. A mutant that only they would kill counts as a survivor: the figure is too low by it.
import { defineConfig } from 'vitest/config';

const slow = ['**/properties.test.ts', '**/*properties.test.ts', '**/fairness.test.ts', '**/sibling-fairness.test.ts'];

export default defineConfig({
  test: { include: ['harness/expectations/**/*.test.ts'], exclude: ['**/node_modules/**', ...slow], pool: 'threads', isolate: false, retry: 0, testTimeout: 20_000 },
});
