// `--pcap` on the process runtime.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { capturesAll, cutsAtLimit, saysWhyNot } from './fixtures/capture.ts';
import { temporaryFolder } from './test-kit.ts';

const LIMIT_MS = 90_000;

/** A search path on which a tcpdump comes first that may not look. */
const refusing = (): Record<string, string> => {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'tcpdump'), '#!/bin/sh\necho "tcpdump: lo: You do not have permission to capture on that device" >&2\nexit 1\n');
  chmodSync(join(folder, 'tcpdump'), 0o755);
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
};

describe('packets of plain processes', () => {
  test('all of both legs are kept, sealed and told', () => capturesAll('process'), LIMIT_MS);
  test('are cut at the limit, after a whole packet, and that is told', () => cutsAtLimit('process'), LIMIT_MS);
  test('a tcpdump that may not look is told, and the run goes on', () => saysWhyNot([], { env: refusing() }, /no packets were captured: tcpdump ended: lo: You do not have permission/), LIMIT_MS);
});
