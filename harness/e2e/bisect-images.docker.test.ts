// A search along the tags of an image: the one that leaks is named, and a tag that has moved since is told when it is taken up again.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { concreteAxes } from '../plan/axis-values.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { connectEngine, createDockerRuntime } from '../runtimes/docker.ts';
import { ensureImages } from '../runtimes/images.ts';
import { allValuesOf } from '../systems/axes/values.ts';
import { cardWith } from '../systems/fixture.ts';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import { FIXTURES, startCli, temporaryFolder } from './test-kit.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const NAME = `hangup/moving-proxy-${process.pid}`;
const CARD = readFileSync(join(FIXTURES, 'plain-proxy', 'system.yaml'), 'utf8')
  .replace('image: hangup/plain-proxy', `image: ${NAME}:\${version}`)
  .replace(/^ +build: .*\n/m, '')
  .replace('version: 1\n', 'version: 1\nversions: { from: image, use: "1" }\n');

describe.skipIf(!available)('tags of an image', () => {
  test('are searched as what they stood for, and one that has moved is told by its name', async () => {
    const folder = temporaryFolder();
    const engine = await connectEngine();
    const made = new Set<string>();
    onTestFinished(async () => {
      for (const tag of made) await engine.getImage(tag).remove({ force: true });
    });
    const { path, git } = bisectRepository(join(folder, 'repository'));
    const built = async (revision: string): Promise<string> => {
      git('checkout', '-q', revision);
      const context = join(folder, `at-${revision}`);
      mkdirSync(context);
      cpSync(join(path, 'proxy.mjs'), join(context, 'proxy.mjs'));
      const tags = await ensureImages([{ folder: context, version: null, run: [{ docker: { image: NAME, build: { context: '.', args: {} } } }] }]);
      made.add(tags.get(NAME)!);
      return tags.get(NAME)!;
    };
    const tagAs = async (image: string, tag: string, repo = NAME): Promise<void> => {
      await engine.getImage(image).tag({ repo, tag });
      made.add(`${repo}:${tag}`);
    };
    const [good, bad] = [await built('v4'), await built('v5')];
    for (const tag of ['1', '2']) await tagAs(good, tag);
    for (const tag of ['3', '4']) await tagAs(bad, tag);
    // What is built daily is newer than all of them, and its tag does not say so.
    for (const tag of ['main', '1.10', '1.2.1-rc1', '1.2', 'latest', '9f3c2d1', '1.9-alpine', '1.2-alpine', '1.10-alpine-r1']) await tagAs(bad, tag, `${NAME}-tags`);
    const told: string[] = [];
    const asking = { environment: process.env, progress: (line: string) => void told.push(line) };
    const tagged = cardWith({ versions: `versions: { from: image, package: ${NAME}-tags, use: "1.2" }`, run: `run: [ { name: proxy, docker: { image: "${NAME}-tags:\${version}" } } ]` });
    const offered = await allValuesOf(tagged, 'version', asking);
    expect(offered.offered).toEqual(['1.2', '1.2-alpine', '1.9-alpine', '1.10', '1.10-alpine-r1']);
    expect(offered.all.toSorted()).toEqual(['1.10', '1.10-alpine-r1', '1.2', '1.2-alpine', '1.2.1-rc1', '1.9-alpine', '9f3c2d1', 'latest', 'main']);
    const ranges = await concreteAxes(tagged, { version: ['1.2-alpine..1.10-alpine-r1', '1.2..1.10'] }, asking);
    expect(ranges).toEqual({ version: ['1.2-alpine', '1.9-alpine', '1.10-alpine-r1', '1.2', '1.10'] });
    expect(told).toEqual(['version=1.2..1.10: left out as of another variant: 1.9-alpine']);
    // A tag that is moved on with each release is the one that it stands for, and no version before that.
    for (const [image, tag] of [[good, '3.0.0'], [good, '3.0.1'], [bad, '3.0.2'], [bad, '3.0'], [bad, '3']] as const) await tagAs(image, tag, `${NAME}-moved`);
    const movedOn = cardWith({ versions: `versions: { from: image, package: ${NAME}-moved, use: "3" }`, run: `run: [ { name: proxy, docker: { image: "${NAME}-moved:\${version}" } } ]` });
    expect(await concreteAxes(movedOn, { version: ['3.0.0..3'] }, asking)).toEqual({ version: ['3.0.0', '3.0.1', '3.0.2'] });
    expect(told.slice(1)).toEqual([
      'version: left out as moved on with each release: 3 (now 3.0.2), 3.0 (now 3.0.2)', 'version=3.0.0..3: 3 is moved on with each release, and stands for 3.0.2 now',
    ]);
    writeFileSync(join(folder, 'card.yaml'), CARD);
    writeFileSync(join(folder, 'leak.yaml'), readFileSync(join(path, 'leak.yaml'), 'utf8'));
    const bisect = () => startCli(['bisect', 'leak.yaml', '--runtime', 'docker', '--axis', 'version=1,2,3,4', '--good', '1', '--bad', '4'], { folder }).finished;

    const first = await bisect();
    expect(first.code, first.output).toBe(0);
    expect(first.output).toContain('The first bad version is 3: 2 is good.');
    const file = join(folder, /^ .*all of it in (\S+)$/m.exec(first.output)![1]!, 'bisect.json');
    const { question: { images }, probes } = JSON.parse(readFileSync(file, 'utf8')) as SearchState;
    const [ofGood, ofBad] = [(await engine.getImage(good).inspect()).Id, (await engine.getImage(bad).inspect()).Id];
    expect(images).toEqual({ [`${NAME}:1`]: ofGood, [`${NAME}:2`]: ofGood, [`${NAME}:3`]: ofBad, [`${NAME}:4`]: ofBad });
    const { at: [version], evidence } = probes[0]!;
    const { manifest } = await readBundle(join(file, '..', evidence!));
    expect(manifest.versions[`image for ${NAME}:${version}`]).toBe(images[`${NAME}:${version}`]);

    await tagAs(bad, '2');
    const moved = await bisect();
    expect(moved.code, moved.output).toBe(4);
    expect(moved.output).toMatch(new RegExp(`bisect\\.json:\\d+:\\d+: what ${NAME}:2 stands for is not as it was .*\\[bisect-changed\\]`));
  }, 400_000);
});
