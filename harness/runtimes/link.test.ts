// The harness's end of the protocol, fed by hand: bytes cut anywhere, replies late, lost or refused.
import { describe, expect, test } from 'vitest';
import type { Emitted } from '../model/protocol.ts';
import { createLink } from './link.ts';

const setUp = () => {
  const written: string[] = [];
  const facts: Emitted[] = [];
  const broken: string[] = [];
  const link = createLink((line) => written.push(line), (fact) => facts.push(fact), (line) => broken.push(line));
  const feed = (text: string | Uint8Array): void => link.feed(Buffer.from(text as string));
  return { link, written, facts, broken, feed };
};
const fact = (mark: string): string => `${JSON.stringify({ at: 1, actor: 'a', seq: 1, type: 'mark', mark, client: null })}\n`;

describe('a link', () => {
  test('sends commands with numbers of their own and settles each with its reply, in any order', async () => {
    const { link, written, feed } = setUp();
    const first = link.send('clients', { do: 'open', client: 'alice' });
    const second = link.send('probes', { do: 'sample' });
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: 1, to: 'clients', do: 'open', client: 'alice' }, { id: 2, to: 'probes', do: 'sample' },
    ]);
    feed('{"re":2,"ok":true,"value":5}\n{"re":1,"ok":true}\n');
    expect(await second).toBe(5);
    expect(await first).toBeUndefined();
  });

  test('puts lines together however they were cut, inside a character too', () => {
    const { facts, feed, broken } = setUp();
    const bytes = Buffer.from(fact('grün') + fact('zwei'));
    for (const byte of bytes) feed(Uint8Array.of(byte));
    expect(facts.map((one) => (one.type === 'mark' ? one.mark : ''))).toEqual(['grün', 'zwei']);
    expect(broken).toEqual([]);
  });

  test('a refusal is an error with the actor\'s code', async () => {
    const { link, feed } = setUp();
    const sent = link.send('upstreams', { do: 'listen' });
    feed('{"re":1,"ok":false,"code":"EADDRINUSE","message":"address in use"}\n');
    await expect(sent).rejects.toMatchObject({ code: 'EADDRINUSE', message: 'address in use' });
  });

  test('a reply that does not come is an error that names what was asked; one that comes later is harmless', async () => {
    const { link, feed } = setUp();
    const message = expect.stringContaining('probes did not answer sample') as string;
    await expect(link.send('probes', { do: 'sample' }, 10)).rejects.toMatchObject({ code: 'no-reply', message });
    feed('{"re":1,"ok":true}\n');
  });

  test('the end of an actor rejects what waits for it, and nothing else', async () => {
    const { link, feed } = setUp();
    const lost = link.send('clients', { do: 'perform' });
    const kept = link.send('probes', { do: 'sample' });
    link.fail('clients', 'ended with code 1');
    await expect(lost).rejects.toThrow('clients: ended with code 1');
    feed('{"re":2,"ok":true,"value":"seen"}\n');
    expect(await kept).toBe('seen');
  });

  test('after the end of the stage everything is refused, with the first reason', async () => {
    const { link, written } = setUp();
    const lost = link.send('clients', { do: 'perform' });
    link.end('killed');
    link.end('closed');
    await expect(lost).rejects.toThrow('killed');
    await expect(link.send('clients', { do: 'open' })).rejects.toMatchObject({ code: 'stage-ended', message: 'clients open: killed' });
    expect(written).toHaveLength(1);
  });

  test('a line that is not of the protocol is handed over as it is', () => {
    const { broken, facts, feed } = setUp();
    feed(`Segmentation fault\n${fact('after')}`);
    expect(broken).toEqual(['Segmentation fault']);
    expect(facts).toHaveLength(1);
  });
});
