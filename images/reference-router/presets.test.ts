// The two presets of the card reproduce what was seen on the two versions that they are named after.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';
import { defectNames } from './defects/registry.ts';

/** The list of a preset, by its indentation: this folder imports no YAML parser. */
const preset = (name: string): readonly string[] => {
  const card = readFileSync(join(import.meta.dirname, 'system.yaml'), 'utf8');
  const list = new RegExp(`^    ${name}:\\n((?:      - .*\\n)+)`, 'm').exec(card)?.[1] ?? '';
  return [...list.matchAll(/- (\S+)/g)].map((match) => match[1]!);
};

const v047 = preset('seed-v047');
const main = preset('seed-main');
const BOUNDS = { HEADER_MS: '1000', READ_MS: '1000', PROGRESS_MS: '1200', SEND_MS: '1000', LIFETIME_MS: '1500', SHUTDOWN_MS: '300' };

test('they name known defects only', () => {
  for (const list of [v047, main]) {
    expect(list.length).toBeGreaterThan(3);
    expect(list.filter((name) => !defectNames.includes(name))).toEqual([]);
  }
});

describe.concurrent('presets', () => {
  test('seed-v047: everything renews beyond each bound and leave; stopping the upstream charges', async ({ onTestFinished }) => {
    const { router, upstream, terminal } = await createSetting(onTestFinished, { ...BOUNDS, HANGUP_DEFECTS: v047.join(',') });
    const silent = await openClient(router.port, 'hx.silent', 'silent');
    const endless = await openClient(router.port, 'hx.endless', 'endless');
    const pending = await openClient(router.port, 'hx.pending', 'header-wait');
    await until('both to receive', () => silent.events() > 0 && endless.events() > 0);
    const markers = ['hx.silent', 'hx.endless', 'hx.pending'];
    await never('one ended', () => markers.some((marker) => router.row(marker)?.state !== 'active'), 2_500);
    const received = endless.events();
    for (const client of [silent, endless, pending]) client.fin();
    await never('one ended', () => markers.some((marker) => router.row(marker)!.state !== 'active'), 2_500);
    expect(await router.refund()).toMatchObject({ status: 400 });
    await upstream.stop();
    expect(await terminal('hx.silent')).toMatchObject({ state: 'charged' });
    expect(await terminal('hx.pending')).toMatchObject({ state: 'released' });
    await terminal('hx.endless');
    expect(router.charges('hx.endless')[0]!.amount).toBeGreaterThan(received + 10);
    router.signal('SIGTERM');
    expect(await router.exited).toEqual({ code: 0, signal: null });
  });

  test('seed-main: silence is timed out, bytes keep it going, an upstream error keeps it running', async ({ onTestFinished }) => {
    const { router, upstream, terminal, status } = await createSetting(onTestFinished, { ...BOUNDS, HANGUP_DEFECTS: main.join(',') });
    const silent = await openClient(router.port, 'hx.silent', 'silent');
    const left = await openClient(router.port, 'hx.left', 'silent');
    await openClient(router.port, 'hx.pending', 'header-wait');
    const endless = await openClient(router.port, 'hx.endless', 'endless');
    const comments = await openClient(router.port, 'hx.comments', 'comments');
    const flood = await openClient(router.port, 'hx.flood', 'flood', { reads: false });
    await until('all to receive', () => [silent, left, endless, comments].every((client) => client.events() > 0));
    await status('"blocked"');
    left.fin();
    expect(await terminal('hx.silent')).toMatchObject({ state: 'charged', reason: 'read-timeout' });
    expect(await terminal('hx.left')).toMatchObject({ reason: 'read-timeout' });
    expect(await terminal('hx.pending')).toMatchObject({ state: 'released', reason: 'header-timeout' });
    for (const client of [endless, comments, flood]) client.fin();
    const markers = ['hx.endless', 'hx.comments', 'hx.flood'];
    await never('one ended', () => markers.some((marker) => router.row(marker)!.state !== 'active'), 3_000);
    expect(await router.refund()).toMatchObject({ status: 400 });
    await upstream.stop();
    let hasExited = false;
    void router.exited.then(() => (hasExited = true));
    router.signal('SIGTERM');
    await never('it exited', () => hasExited, 3_000);
    for (const marker of markers) expect(router.row(marker), marker).toMatchObject({ state: 'active' });
  });
});
