// The two entries as processes: JSON lines in and out in a stage, the environment in the playground.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onLines } from '../harness/model/lines.ts';
import { chat, MARKER, openPeer, until } from './fixture.ts';

type Line = Readonly<Record<string, unknown>>;
const children: ChildProcess[] = [];

const launch = (entry: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) => {
  const options = { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' } as const;
  const child = spawn(process.execPath, [join(import.meta.dirname, entry), ...args], options);
  children.push(child);
  const lines: string[] = [];
  let errors = '';
  onLines(child.stdout, (line) => void lines.push(line));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const parsed = (): readonly Line[] => lines.map((line) => JSON.parse(line) as Line);
  let id = 0;
  return {
    child,
    lines,
    errors: () => errors,
    awaitLine: (what: string, matches: (line: Line) => boolean) =>
      until(`a line with ${what}; errors: ${errors}`, () => parsed().find(matches)),
    ask: async (command: Line): Promise<Line> => {
      id += 1;
      const mine = id;
      child.stdin.write(`${JSON.stringify({ id: mine, to: 'upstreams', ...command })}\n`);
      return until(`the reply to ${String(command.do)}; errors: ${errors}`, () => parsed().find((line) => line.re === mine));
    },
    exited: () => until('the exit', () => (child.exitCode ?? child.signalCode) !== null && { code: child.exitCode }),
  };
};

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('the actor', () => {
  it('listens, promises, finishes, stops, and ends with its input', async () => {
    const actor = launch('main.ts');
    const listening = await actor.ask({
      do: 'listen', upstream: 'model', address: '127.0.0.1', port: 0, shape: 'openai-chat', onFin: 'continue',
      behaviour: { kind: 'endless', options: { every: 5 } },
    });
    expect(listening).toMatchObject({ ok: true });
    const { port } = listening.value as { port: number };
    const promise = { do: 'expect', upstream: 'model', marker: MARKER, behaviour: { kind: 'silent', options: { events: 1 } } };
    expect(await actor.ask(promise)).toMatchObject({ ok: true });
    await openPeer(port, chat()).awaitText('data:');
    const received = await actor.awaitLine('the request', (line) => line.type === 'request-received');
    expect(received).toMatchObject({ actor: 'upstream.model', marker: MARKER, behaviour: 'silent', seq: 2, at: expect.any(Number) });
    expect(await actor.ask({ do: 'finish', upstream: 'model', marker: MARKER })).toMatchObject({ ok: true, value: { count: 1 } });
    expect(await actor.ask({ do: 'stop', upstream: 'model' })).toMatchObject({ ok: true, value: { count: 1 } });
    expect(await actor.ask({ do: 'close', upstream: 'model' })).toMatchObject({ ok: true, value: { count: 0 } });
    const control = await actor.ask({ do: 'control-listen', address: '127.0.0.1' });
    const awaited = await actor.ask({ do: 'control-await', ...(control.value as object), peer: '127.0.0.1:1', limitMs: 1 });
    expect(awaited.value).toEqual({ seen: false, how: null, atMs: null });
    actor.child.stdin.end();
    expect(await actor.exited()).toEqual({ code: 0 });
    expect(actor.errors()).toBe('');
  });

  it('answers what it cannot do with a code, and lives on', async () => {
    const actor = launch('main.ts');
    const listen = { do: 'listen', upstream: 'model', address: '127.0.0.1', port: 0 };
    const cases = [
      ['bad-command', listen],
      ['bad-command', { ...listen, port: '1', behaviour: { kind: 'silent' } }],
      ['bad-command', { ...listen, behaviour: { kind: 'silent' }, onFin: 'perhaps' }],
      ['unknown-behaviour', { ...listen, behaviour: { kind: 'sleepy' } }],
      ['unknown-upstream', { do: 'stop', upstream: 'model' }],
      ['failed', { do: 'dance' }],
    ] as const;
    for (const [code, command] of cases) expect(await actor.ask(command)).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect(await actor.ask({ do: 'ping' })).toMatchObject({ ok: true });
  });
});

describe('stand-alone', () => {
  it('serves one behaviour and prints what happens, until it is told to stop', async () => {
    const alone = launch('stand-alone.ts', { PORT: '0', BEHAVIOUR: 'finite', OPTIONS: '{"events":2,"every":"1ms"}' });
    const ready = await alone.awaitLine('ready', (line) => line.type === 'ready');
    const text = await openPeer(ready.port as number, chat()).awaitText('[DONE]');
    expect(text).toContain(`${MARKER} 2 `);
    await alone.awaitLine('the end', (line) => line.type === 'answer-ended' && line.events === 2);
    alone.child.kill('SIGTERM');
    expect(await alone.exited()).toEqual({ code: 0 });
  });

  it('lists every behaviour in its help', async () => {
    const help = launch('stand-alone.ts', {}, ['--help']);
    expect(await help.exited()).toEqual({ code: 0 });
    await until('the help', () => help.lines.some((line) => line.includes('truncated')));
    expect(help.lines.join('\n')).toMatch(/BEHAVIOUR[\s\S]*endless[\s\S]*every=100ms/);
  });

  it.each([
    [{ BEHAVIOUR: 'sleepy' }, 'there is no behaviour sleepy'],
    [{ OPTIONS: '{"events":"many"}' }, 'events cannot be "many"'],
    [{ PORT: 'http' }, 'PORT cannot be http'],
    [{ ON_FIN: 'perhaps' }, 'ON_FIN is'],
  ])('says what is wrong with %o', async (env, message) => {
    const alone = launch('stand-alone.ts', { PORT: '0', ...env });
    expect(await alone.exited()).toEqual({ code: 1 });
    expect(alone.errors()).toContain(message);
    expect(alone.errors().trim().split('\n')).toHaveLength(1);
  });
});
