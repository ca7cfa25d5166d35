// Five projects in four turns: first what a busy processor makes slower and nothing else, as many files side by side as there are
// processors: pure functions, and pages, packing and words from outside; then what starts processes and looks at a clock; then, a file
// at a time, so that runs do not starve each other, what judges systems; and what starts containers. No retries anywhere.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { REPOSITORY_VARIABLES } from './harness/systems/git-environment.ts';

// Tests make commits in repositories of their own; run by a hook of git, those would go into the one that is being committed to.
for (const name of REPOSITORY_VARIABLES) delete process.env[name];

const shared = { pool: 'forks', retry: 0, testTimeout: 20_000, hookTimeout: 30_000 } as const;
const dockerTests = '**/*.docker.test.ts';
const timedTests = ['images/**/*.test.ts', 'harness/run/**/*.test.ts', 'harness/runtimes/**/*.test.ts'];
/** Pages in a browser, packing and installing, words of the README: nothing is judged meanwhile. */
const calmTests = ['browser-*', 'catalogue', 'packaging', 'readme'].map((name) => `harness/e2e/${name}.test.ts`);
/** Vitest would leave one processor to itself, which of two is half of the machine. */
const maxWorkers = availableParallelism();

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'plain',
          include: ['harness/**/*.test.ts', 'upstreams/**/*.test.ts'],
          exclude: [dockerTests, ...timedTests, 'harness/e2e/**', '**/node_modules/**'],
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'outside',
          include: calmTests,
          maxWorkers,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'timed',
          include: timedTests,
          exclude: [dockerTests, '**/node_modules/**'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['harness/e2e/**/*.test.ts'],
          exclude: [dockerTests, ...calmTests],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'docker',
          include: ['harness/**/*.docker.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
