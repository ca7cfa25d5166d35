// Images of cards: built from a folder on the actors' image, found again by content, refused with reasons.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { connectEngine, createDockerRuntime } from './docker.ts';
import { PEER, PEERS, testPlan } from './fixtures/stage-plan.ts';
import { ensureImages, resolveImage } from './images.ts';
import type { BuildCard } from './images.ts';
import { ensureBaseImage, ensureRuntimeImage } from './images-runtime.ts';

const runtime = createDockerRuntime({ entries: PEERS, extra: [PEER] });
const { available, why } = await runtime.probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const folders: string[] = [];
const made = new Set<string>();
const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-card-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};
const cardOf = (folder: string, image = 'hangup/test-card', args: Readonly<Record<string, string>> = {}): BuildCard =>
  ({ folder, version: '1.2.3', run: [{ docker: { image, build: { context: '.', args } } }] });
const build = async (card: BuildCard, installed: string | null = null): Promise<string> => {
  const tag = (await ensureImages([card], () => {}, () => installed)).get(card.run[0]!.docker!.image.replace('${version}', '1.2.3'));
  made.add(tag!);
  return tag!;
};

/** What the system of that image prints. */
const outputOf = async (image: string, command: readonly string[]): Promise<string> => {
  await using scope = createScope();
  const stage = await runtime.openStage(testPlan(), scope);
  const system = await stage.startSystem({ name: 'card', docker: { image, command, env: {}, init: true } });
  await system.exited;
  return system.readLog();
};

describe.skipIf(!available)(`images (${why})`, () => {
  afterEach(async () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    const engine = await connectEngine();
    for (const tag of made) await engine.getImage(tag).remove({ force: true }).catch(() => {});
    made.clear();
  });

  test('a folder becomes an image at /app that runs TypeScript, without its tests and packages', async () => {
    const folder = folderWith({
      'main.ts': 'import { readdirSync } from "node:fs";\nconst word: string = "typed";\nconsole.log(word, readdirSync("/app").join());\n',
      'main.test.ts': '', 'node_modules/x/index.js': '', 'part/more.ts': '',
    });
    const tag = await build(cardOf(folder, 'hangup/test-card:${version}'));
    expect(tag).toMatch(/^hangup\/test-card:[0-9a-f]{12}$/);
    expect(resolveImage('hangup/test-card:1.2.3')).toBe(tag);
    expect(await outputOf('hangup/test-card:1.2.3', ['node', 'main.ts'])).toBe('typed Dockerfile,main.ts,package.json,part\n');
  });

  test('the same content is the same image, another content another', async () => {
    const first = await build(cardOf(folderWith({ 'main.js': '1' })));
    const again = await build(cardOf(folderWith({ 'main.js': '1' })));
    const other = await build(cardOf(folderWith({ 'main.js': '2' })));
    const withArgs = await build(cardOf(folderWith({ 'main.js': '1' }), undefined, { A: 'b' }));
    expect(again).toBe(first);
    expect(new Set([first, other, withArgs]).size).toBe(3);
  });

  test('packages that were installed for the card are in it', async () => {
    const installed = folderWith({
      'package.json': '{"dependencies":{"x":"1.0.0"}}', 'package-lock.json': '{}',
      'node_modules/x/package.json': '{"name":"x","version":"1.0.0","main":"index.js"}',
      'node_modules/x/index.js': 'module.exports = "from x"',
    });
    const tag = await build(cardOf(folderWith({ 'main.cjs': 'console.log(require("x"))' })), installed);
    expect(await outputOf(tag, ['node', 'main.cjs'])).toBe('from x\n');
  });

  test('what pip installed is in it, and names it', async () => {
    const wheel = (version: string): string =>
      folderWith({ 'x.py': `WORD = "${version}"\n`, [`x-${version}.dist-info/METADATA`]: 'Name: x\n' });
    const card = cardOf(folderWith({ 'main.js': 'console.log(require("node:fs").readFileSync("x.py", "utf8"))', 'package.json': '{}' }));
    const first = await build(card, wheel('1.0'));
    expect(await outputOf(first, ['node', 'main.js'])).toContain('WORD = "1.0"');
    expect(await build(card, wheel('2.0'))).not.toBe(first);
  });

  test('a Dockerfile of the folder\'s own is used, and given the actors\' image and the card\'s arguments', async () => {
    const folder = folderWith({ Dockerfile: 'ARG RUNTIME\nFROM ${RUNTIME}\nARG WORD\nRUN echo ${WORD} > /word\n' });
    const tag = await build(cardOf(folder, undefined, { WORD: 'said' }));
    expect(await outputOf(tag, ['cat', '/word'])).toBe('said\n');
  });

  test('a build that fails shows the builder\'s last lines', async () => {
    const folder = folderWith({ Dockerfile: 'ARG RUNTIME\nFROM ${RUNTIME}\nRUN echo about to fail && exit 9\n' });
    const hint = expect.stringContaining('about to fail') as string;
    await expect(ensureImages([cardOf(folder)])).rejects.toMatchObject({
      problems: [{ family: 'environment', code: 'image-not-built', message: expect.stringContaining('9'), hint }],
    });
  });

  // The second cannot be anybody's: the engine says so with another status.
  test.each(['hangup/no-such-image:1', 'hangup/No-Such-Image:1'])('an image that is nowhere is named, and nothing is pulled: %s', async (image) => {
    const card: BuildCard = { folder: '/', version: null, run: [{ docker: { image } }] };
    await expect(ensureImages([card])).rejects.toMatchObject({
      problems: [{ family: 'environment', code: 'image-missing', hint: expect.stringContaining(`docker pull ${image}`) }],
    });
  });

  test('another base gives the same image to what stands on it', async () => {
    const engine = await connectEngine();
    // An image of ours in the place of a published one: what matters is that its Dockerfile takes what it is given.
    const base = await ensureBaseImage(engine);
    const published = await ensureBaseImage(engine, { base });
    const tag = await ensureRuntimeImage(engine, { base });
    made.add(tag).add(published);
    expect(published).not.toBe(base);
    const other = createDockerRuntime({ base, entries: PEERS, extra: [PEER] });
    await using scope = createScope();
    const stage = await other.openStage(testPlan(), scope);
    expect(await stage.send('clients', { do: 'ping' })).toHaveProperty('nowMs');
    made.add(Object.keys(await other.describe()).find((key) => key.startsWith('image hangup/runtime'))!.slice('image '.length));
  });
});
