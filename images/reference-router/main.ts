// The process: environment in, exit code out. Nothing else here touches `process`.
import { cleanBehaviour } from './behaviour.ts';
import { readConfig } from './config.ts';
import { applyDefects, defectNames } from './defects/registry.ts';
import { messageOf } from './log.ts';
import { startRouter } from './router.ts';

// As in sysexits.h: the configuration is wrong, and starting again will not help.
const EX_CONFIG = 78;

const fail = (code: number, lines: readonly string[]): never => {
  for (const line of lines) process.stderr.write(`reference-router: ${line}\n`);
  process.exit(code);
};

const { config, problems } = readConfig(process.env, defectNames);
if (problems.length > 0) fail(EX_CONFIG, problems);

// Whoever reads the log may go away; that is no reason to stop serving.
process.stdout.on('error', () => undefined);

const starting = startRouter(config, applyDefects(cleanBehaviour, config.defects), (line) => void process.stdout.write(line)).catch(
  (error: unknown) => fail(1, [`cannot start: ${messageOf(error)}`]),
);

let isStopping = false;
const onSignal = (): void => {
  if (isStopping) process.exit(1);
  isStopping = true;
  starting
    .then((router) => router.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => fail(1, [`did not stop cleanly: ${messageOf(error)}`]),
    );
};
// Before it serves: whoever reads that it does may tell it to stop at once.
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
process.on('SIGUSR2', () => void starting.then((router) => router.dump()));

const router = await starting;

// Without its ledger it can neither reserve nor charge: better to be restarted than to serve for free.
void router.failed.then((why) => fail(1, [`the ledger failed: ${why}`]));
