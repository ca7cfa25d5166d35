// For the tests of commands: a terminal that keeps what is written to it.
import { createSecrets } from '../bundle/secrets.ts';
import type { Terminal } from './command.ts';

export type TestTerminal = { readonly terminal: Terminal; readonly out: () => string; readonly err: () => string };

export const testTerminal = (over: Partial<Terminal> = {}): TestTerminal => {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    argv: [],
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    isTerminal: false,
    columns: 100,
    cwd: process.cwd(),
    environment: {},
    signal: new AbortController().signal,
    secrets: createSecrets(),
    ...over,
  };
  return { terminal, out: () => out, err: () => err };
};
