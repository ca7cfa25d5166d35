// The smallest of all limits counts, and files that were read are free when somebody needs the room. The files are as kernels write them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { capacityHere, capacityOf } from './capacity.ts';

const GIBIBYTE = 1024 ** 3;
const MACHINE = 16 * GIBIBYTE;
const AVAILABLE = { 'proc/meminfo': 'MemTotal:       16777216 kB\nMemFree:          100000 kB\nMemAvailable:    8388608 kB\n' };

const rootWith = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-capacity-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const inGibibytes = (files: Readonly<Record<string, string>>): readonly (number | null)[] => {
  const { memoryBytes, freeBytes } = capacityHere(rootWith(files), MACHINE);
  const free = freeBytes();
  return [memoryBytes / GIBIBYTE, free === null ? null : free / GIBIBYTE];
};

test('without a group that limits, what the machine has', () => {
  expect(inGibibytes(AVAILABLE)).toEqual([16, 8]);
  expect(inGibibytes({ ...AVAILABLE, 'proc/self/cgroup': '0::/user.slice\n', 'sys/fs/cgroup/user.slice/memory.max': 'max\n' })).toEqual([16, 8]);
  expect(inGibibytes({})).toEqual([16, null]);
});

test('version 2: the limit of a group above ours, less what is used, and cached files are not used', () => {
  const group = 'sys/fs/cgroup/ci';
  const files = {
    ...AVAILABLE,
    'proc/self/cgroup': '0::/ci/job\n',
    [`${group}/memory.max`]: `${4 * GIBIBYTE}\n`, [`${group}/memory.current`]: `${3 * GIBIBYTE}\n`,
    [`${group}/memory.stat`]: `anon 123\ninactive_file ${2 * GIBIBYTE}\nactive_file 5\n`,
    [`${group}/job/memory.max`]: 'max\n', [`${group}/job/memory.current`]: `${GIBIBYTE}\n`,
  };
  expect(inGibibytes(files)).toEqual([4, 3]);
});

test("version 1, from inside a container: the path is the host's, the limit stands at the root", () => {
  const group = 'sys/fs/cgroup/memory';
  const files = {
    ...AVAILABLE,
    'proc/self/cgroup': '11:cpu,cpuacct:/docker/1\n9:memory:/docker/1f2e\n1:name=systemd:/docker/1\n',
    [`${group}/memory.limit_in_bytes`]: `${2 * GIBIBYTE}\n`, [`${group}/memory.usage_in_bytes`]: `${GIBIBYTE}\n`,
    [`${group}/memory.stat`]: `inactive_file 7\ntotal_inactive_file ${GIBIBYTE / 2}\n`,
  };
  expect(inGibibytes(files)).toEqual([2, 1.5]);
  // What it says where there is no limit is none.
  expect(inGibibytes({ ...files, [`${group}/memory.limit_in_bytes`]: '9223372036854771712\n' })).toEqual([16, 8]);
});

test("an engine's memory is its own; elsewhere nobody knows what is free, and one that does not say is taken for this machine", async () => {
  const has = { memoryBytes: 3 * GIBIBYTE, processors: 5 };
  const remote = await capacityOf({ capacity: async () => ({ ...has, isHere: false }) });
  expect({ ...remote, freeBytes: remote.freeBytes() }).toEqual({ ...has, freeBytes: null });
  expect((await capacityOf({ capacity: async () => ({ ...has, isHere: true }) })).freeBytes()).toBeGreaterThan(0);
  expect((await capacityOf({ capacity: () => Promise.reject(new Error('no engine')) })).memoryBytes).toBe(capacityHere().memoryBytes);
});
