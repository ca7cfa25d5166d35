// Every wire shape keeps the contract: named as its file, each event distinct and its exchange's own.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shapes } from './registry.ts';

const files = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.') && !['registry.ts', 'shape.ts'].includes(name));
const formats = shapes.all.flatMap((shape) => [[`${shape.kind}, streamed`, shape.stream], [`${shape.kind}, whole`, shape.whole]] as const);
const subject = { label: 'hx.alice.1.9f3a01bc', createdS: 1 };

it('lists exactly the files of the folder, by kind', () => {
  expect(shapes.kinds).toEqual(files.map((name) => name.replace(/\.ts$/, '')));
  for (const shape of shapes.all) expect(shape.paths.every((path) => path.startsWith('/'))).toBe(true);
});

it.each(formats)('%s: events carry the label, and are filled up to a size', (_name, format) => {
  expect(format.event(subject).join('7')).toContain(`${subject.label} 7 `);
  expect(format.event(subject, 5_000).join('7')).toHaveLength(5_000);
  expect(format.event(subject, 1)).toEqual(format.event(subject));
});

it.each(formats)('%s: is one character a byte', (_name, format) => {
  const { opening, event, comment, usage, endMark, closing } = format;
  const text = [opening(subject), ...event(subject), comment?.('k') ?? '', usage(subject, 3), endMark, closing(subject, 3)].join('');
  expect(Buffer.byteLength(text)).toBe(text.length);
});
