// A container that was asked for and never told of may come to be all the same, and then nobody has it.
import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { labelsOf, volumeMount } from './docker-labels.ts';
import { ownContainer, ownVolume } from './docker-owned.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import type { Answer } from './fixtures/engine-socket.ts';

/** What becomes of what is asked, in turn. */
const answers = new Map<string, Answer[]>();
const { engine, socket, close } = await engineOfTest((asked) => answers.get(asked)?.shift());
afterAll(close);

const NONE: Answer = [404, { message: 'No such container' }];
const removed = (name: string): number => socket.asked.filter((asked) => asked === `DELETE /containers/${name}`).length;
const create = async (name: string, answer: Answer): Promise<void> => {
  answers.set('POST /containers/create', [answer]);
  const scope = createScope();
  const own = ownContainer({ engine, scope }, name);
  await own.create({ name, Image: 'i' }).then(() => {}, () => {});
  expect(await scope.close()).toMatchObject([{ name: `container ${name}`, outcome: 'closed' }]);
};

test('one that appears after its request had broken off is removed', async () => {
  answers.set('DELETE /containers/late', [NONE, NONE, [204]]);
  await create('late', 'cut');
  expect(removed('late')).toBe(3);
});

test.each<[string, Answer]>([['was refused', [500, { message: 'no space' }]], ['was made, and has gone', [201, { Id: 'x' }]]])('one that %s is not waited for', async (_, answer) => {
  const name = `known${typeof answer === 'object' ? answer[0] : ''}`;
  await create(name, answer);
  expect(removed(name)).toBe(1);
});

test('one that is being made when the scope closes is removed once it is there', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  answers.set('POST /containers/create', [(response) => asked.resolve(response)]);
  answers.set('DELETE /containers/slow', [NONE, NONE, [409, { message: 'removal of container slow is already in progress' }]]);
  const scope = createScope();
  const created = ownContainer({ engine, scope }, 'slow').create({ name: 'slow', Image: 'i' });
  const response = await asked.promise;
  expect(await scope.close()).toMatchObject([{ outcome: 'closed' }]);
  expect(removed('slow')).toBe(3);
  response.writeHead(201).end(JSON.stringify({ Id: 'slow' }));
  await created;
});

test('one that broke off and is not removed for another reason fails', async () => {
  answers.set('POST /containers/create', ['cut']);
  answers.set('DELETE /containers/stuck', [NONE, [500, { message: 'device busy' }]]);
  const scope = createScope();
  await ownContainer({ engine, scope }, 'stuck').create({ name: 'stuck', Image: 'i' }).catch(() => {});
  expect(await scope.close()).toMatchObject([{ outcome: 'failed', error: expect.stringContaining('device busy') }]);
});

test('the guard knows of one from before it is asked for until it is known what became of it', async () => {
  const known = new Set<string>();
  const guard = { making: (name: string) => (known.add(name), () => void known.delete(name)) };
  const during: (readonly string[])[] = [];
  const answering = (answer: Answer): Answer => (response) => {
    during.push([...known]);
    if (answer === 'cut') response.destroy();
    else if (typeof answer === 'object') response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
  };
  answers.set('POST /containers/create', [answering([201, { Id: 'x' }]), answering([500, { message: 'no space' }]), answering('cut')]);
  answers.set('DELETE /containers/broken', [NONE, [204]]);
  const scope = createScope();
  for (const name of ['made', 'refused', 'broken']) await ownContainer({ engine, scope, guard }, name).create({ name, Image: 'i' }).catch(() => {});
  expect(during).toEqual([['made'], ['refused'], ['broken']]);
  expect([...known], 'nobody knows what becomes of it').toEqual(['broken']);
  await scope.close();
  expect([...known]).toEqual([]);
});

test('of a volume too; one whose making was never answered stays the guard\'s', async () => {
  const known = new Set<string>();
  const guard = { making: (name: string) => (known.add(name), () => void known.delete(name)) };
  const scope = createScope();
  answers.set('POST /volumes/create', [[201, { Name: 'made' }], [500, { message: 'no space' }], 'cut']);
  for (const name of ['made', 'refused', 'broken']) await ownVolume({ engine, scope, guard }, name)({}).catch(() => {});
  expect([...known]).toEqual(['broken']);
  await scope.close();
  expect([...known]).toEqual(['broken']);
});

test('a mount carries the labels of its run, for a volume that the engine has to make anew', () => {
  const ids = { runId: 'r', stageId: 's' };
  expect(volumeMount('v', '/stage', ids)).toMatchObject({ Type: 'volume', Source: 'v', Target: '/stage', VolumeOptions: { Labels: labelsOf(ids) } });
});
