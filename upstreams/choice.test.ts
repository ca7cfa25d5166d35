// Which request gets what: markers wherever they may stand, side requests, and nobody else's marker.
import { describe, expect, it } from 'vitest';
import { markersIn } from '../harness/model/marker.ts';
import { pathOf } from './choice.ts';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, OTHER_MARKER, start } from './fixture.ts';

const get = (path: string, extra = ''): string => `GET ${path} HTTP/1.1\r\nhost: model\r\n${extra}\r\n`;

describe('the marker', () => {
  it.each([
    ['the path', get(`/any/path/${MARKER}?x=1`)],
    ['the query', get(`/any?marker=${MARKER}`)],
    ['a header', get('/any', `x-request-id: ${MARKER}\r\n`)],
    ['the body', chat({ user: MARKER })],
    ['a form body', `POST /any HTTP/1.1\r\nhost: x\r\ncontent-length: ${MARKER.length + 2}\r\n\r\nu=${MARKER}`],
  ])('is found in %s and gets what it was promised', async (_where, request) => {
    await using started = await start('silent');
    started.upstreams.expect('model', MARKER, { kind: 'finite', options: { events: 2, every: 1 } });
    const peer = openPeer(started.port, request);
    const { body } = chunkedBody(await peer.awaitText('[DONE]'));
    expect(eventNumbers(body)).toEqual([1, 2]);
    const received = await started.facts.await('request-received');
    expect(received).toMatchObject({ marker: MARKER, behaviour: 'finite', path: request.split(' ')[1] });
  });

  it('prefers the one that was promised something among several', async () => {
    await using started = await start('silent');
    started.upstreams.expect('model', OTHER_MARKER, { kind: 'header-wait' });
    openPeer(started.port, chat({ user: OTHER_MARKER }, `x-trace: ${MARKER}\r\n`));
    expect(await started.facts.await('request-received')).toMatchObject({ marker: OTHER_MARKER, behaviour: 'header-wait' });
  });

  it('leaves other markers to the upstream\'s own behaviour', async () => {
    await using started = await start('silent');
    started.upstreams.expect('model', OTHER_MARKER, { kind: 'header-wait' });
    await openPeer(started.port, chat()).awaitText('data:');
    expect(started.facts.of('request-received')).toMatchObject([{ marker: MARKER, behaviour: 'silent' }]);
  });
});

describe('requests without a marker', () => {
  it('get the upstream\'s own behaviour on its API\'s path, and a label of their own', async () => {
    await using started = await start('finite', { events: 2, every: 0 });
    const peer = openPeer(started.port, chat({}));
    const { body } = chunkedBody(await peer.awaitText('[DONE]'));
    expect(eventNumbers(body, 'exchange-1')).toEqual([1, 2]);
    expect(markersIn(body)).toEqual([]);
    expect(started.facts.of('request-received')).toMatchObject([{ marker: null, behaviour: 'finite' }]);
  });

  it('get 404 elsewhere', async () => {
    await using started = await start('endless');
    const text = await openPeer(started.port, get('/elsewhere')).awaitText('not_found');
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(await started.facts.await('answer-ended')).toMatchObject({ marker: null, how: 'complete' });
  });
});

describe('the models', () => {
  it.each(['endless', 'header-wait', 'error-status'])('are listed whatever the behaviour (%s)', async (kind) => {
    await using started = await start(kind);
    const text = await openPeer(started.port, get('/v1/models', `x-request-id: ${MARKER}\r\n`)).awaitText('gpt-test');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    const { data } = JSON.parse(text.split('\r\n\r\n')[1]!) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['gpt-test']);
    expect(started.facts.of('request-received')).toMatchObject([{ marker: null, behaviour: 'models', path: '/v1/models' }]);
  });

  it('are answered to HEAD with the head alone, and the connection goes on', async () => {
    await using started = await start('endless');
    const peer = openPeer(started.port, 'HEAD /v1/models HTTP/1.1\r\nhost: x\r\n\r\n');
    const head = await peer.awaitText('\r\n\r\n');
    expect(head).toMatch(/content-length: \d+/);
    peer.socket.write(get('/v1/models'));
    await peer.awaitText('gpt-test');
    expect(peer.text().slice(head.length)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are an exchange like any other where the path carries a marker', async () => {
    await using started = await start('endless', { every: '5ms' });
    await openPeer(started.port, get(`/v1/models?for=${MARKER}`)).awaitText('data:');
    expect(started.facts.of('request-received')).toMatchObject([{ marker: MARKER, behaviour: 'endless' }]);
  });
});

it('never puts one exchange\'s marker into another\'s body', async () => {
  await using started = await start('endless', { every: '2ms' });
  const markers = Array.from({ length: 20 }, (_, index) => `hx.c-${index}.${index}.0000000a`);
  const peers = markers.map((marker) => openPeer(started.port, chat({ user: marker })));
  await Promise.all(peers.map((peer, index) => peer.awaitText(`${markers[index]} 5 `)));
  peers.forEach((peer, index) => expect(markersIn(peer.text())).toEqual([markers[index]]));
});

it.each([['/a?b', '/a'], ['http://host:1/a?b', '/a'], ['https://host', '/'], ['/', '/'], ['*', '*']])('path of %s', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
