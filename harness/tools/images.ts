// `npm run images`: builds the actors' image and those of all cards whose images ask nobody outside, ahead of time, and
// tags them `:dev` beside their hash, for docker-compose. `--all` builds the rest too, of Debian's packages and of what
// npm and PyPI have. `--soak` builds the one with hangup inside, for the profile `soak` of docker-compose.yml. `--prune` removes what older sources left.
import { problemsOf } from '../model/problem.ts';
import { connectEngine } from '../runtimes/docker.ts';
import type { Engine } from '../runtimes/docker.ts';
import { IMAGE_LABEL } from '../runtimes/docker-labels.ts';
import { ensureImages } from '../runtimes/images.ts';
import { ensureDebianImage } from '../runtimes/images-debian.ts';
import { ensureHarnessImage } from '../runtimes/images-harness.ts';
import { ensureBaseImage, ensureRuntimeImage } from '../runtimes/images-runtime.ts';
import type { Card } from '../systems/card.ts';
import { installPackages } from '../systems/install.ts';
import { listCardNames, loadCard } from '../systems/load-card.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Its image is made of what is here: no registry and no archive is asked. */
const asksNobody = ({ install, run }: Card): boolean =>
  install.npm.length === 0 && install.pypi.length === 0 && run.every(({ docker }) => (docker?.build?.packages ?? []).length === 0);

/** Everything else that carries our label. What a container still uses stays: the engine refuses. */
const prune = async (engine: Engine, kept: ReadonlySet<string>): Promise<void> => {
  const images = await engine.listImages({ filters: { label: [IMAGE_LABEL] } });
  for (const tag of images.flatMap((image) => image.RepoTags ?? [])) {
    if (kept.has(tag) || tag.endsWith(':dev') || tag.startsWith('<none>')) continue;
    await engine.getImage(tag).remove().then(() => say(`removed ${tag}`), () => say(`${tag} is in use`));
  }
};

const build = async (): Promise<void> => {
  const engine = await connectEngine();
  const base = process.argv.find((_, index, all) => all[index - 1] === '--base');
  if (base !== undefined) process.env['HANGUP_BASE_IMAGE'] = base;
  const runtime = await ensureRuntimeImage(engine, { progress: say });
  const soak = process.argv.includes('--soak') ? [await ensureHarnessImage(engine, { progress: say })] : [];
  const names = await listCardNames();
  const cards = await Promise.all(names.map((name) => loadCard(name)));
  const isAll = process.argv.includes('--all');
  const built = cards.filter((card) => card.run.some(({ docker }) => docker?.build) && (isAll || asksNobody(card)));
  const installed = new Map<string, string | null>();
  for (const card of built) installed.set(card.file, await installPackages(card, say));
  const tags = await ensureImages(built, say, ({ file }) => installed.get(file) ?? null);
  for (const tag of [runtime, ...soak, ...tags.values()]) {
    const repo = tag.slice(0, tag.lastIndexOf(':'));
    await engine.getImage(tag).tag({ repo, tag: 'dev' });
    say(`${tag} = ${repo}:dev`);
  }
  if (!process.argv.includes('--prune')) return;
  const builds = built.flatMap(({ run }) => run.flatMap(({ docker }) => docker?.build ?? [])).filter(({ packages }) => packages.length > 0);
  const debian = await Promise.all(builds.map((wanted) => ensureDebianImage(engine, wanted, say)));
  await prune(engine, new Set([await ensureBaseImage(engine), runtime, ...soak, ...debian, ...tags.values()]));
};

process.exitCode = 3;
await build().then(() => {
  process.exitCode = 0;
}, (error: unknown) => {
  for (const { message, hint } of problemsOf(error)) {
    process.stderr.write(`hangup images: ${message}${hint === undefined ? '' : `\n  hint: ${hint}`}\n`);
  }
});
