// Two projects: fast tests without an engine, and those that start containers. No retries anywhere.
import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks', retry: 0, testTimeout: 20_000, hookTimeout: 30_000 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'plain',
          include: ['harness/**/*.test.ts', 'upstreams/**/*.test.ts', 'images/**/*.test.ts'],
          exclude: ['**/*.docker.test.ts', '**/node_modules/**'],
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
        },
      },
    ],
  },
});
