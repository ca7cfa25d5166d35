// All verbs of a client's script.
import { createRegistry } from '../model/registry.ts';
import { definition as awaitStep } from './steps/await.ts';
import { definition as barrier } from './steps/barrier.ts';
import { definition as disconnect } from './steps/disconnect.ts';
import { definition as expectClose } from './steps/expect-close.ts';
import { definition as expectStatus } from './steps/expect-status.ts';
import { definition as pause } from './steps/pause.ts';
import { definition as receive } from './steps/receive.ts';
import { definition as refund } from './steps/refund.ts';
import { definition as request } from './steps/request.ts';
import { definition as resume } from './steps/resume.ts';
import { definition as wait } from './steps/wait.ts';

export const steps = createRegistry([
  request,
  receive,
  expectStatus,
  expectClose,
  awaitStep,
  wait,
  barrier,
  pause,
  resume,
  disconnect,
  refund,
]);
