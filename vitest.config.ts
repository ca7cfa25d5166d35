// Three projects, one after the other: what runs in the processor's own time; what drives the whole
// from outside, a file at a time, so that runs do not starve each other; and what starts containers.
// No retries anywhere.
import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks', retry: 0, testTimeout: 20_000, hookTimeout: 30_000 } as const;
const dockerTests = '**/*.docker.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'plain',
          include: ['harness/**/*.test.ts', 'upstreams/**/*.test.ts', 'images/**/*.test.ts'],
          exclude: [dockerTests, 'harness/e2e/**', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['harness/e2e/**/*.test.ts'],
          exclude: [dockerTests],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
