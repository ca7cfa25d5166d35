// Every wire shape keeps the contract: named as its file, each event distinct and its exchange's own.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shapeFor, shapes } from './registry.ts';
import { renderEvent } from './text.ts';

const BESIDE = ['registry.ts', 'shape.ts', 'text.ts', 'applies.ts'];
const files = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.') && !BESIDE.includes(name));
const formats = shapes.all.flatMap((shape) => [[`${shape.kind}, streamed`, shape.stream], [`${shape.kind}, whole`, shape.whole]] as const);
const subject = { label: 'hx.alice.1.9f3a01bc', createdS: 1 };

it('lists exactly the files of the folder, by kind', () => {
  expect([...shapes.kinds].sort()).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort());
  for (const shape of shapes.all) expect(shape.paths.every((path) => path.startsWith('/'))).toBe(true);
});

it('is chosen by one path each, and a path of nobody is a chat', () => {
  const paths = shapes.all.flatMap((shape) => shape.paths.map((path) => [path, shape.kind] as const));
  expect(new Set(paths.map(([path]) => path)).size).toBe(paths.length);
  for (const [path, kind] of paths) expect(shapeFor(path).kind).toBe(kind);
  expect(shapeFor('/anything').kind).toBe('openai-chat');
});

it.each(formats)('%s: events carry the label, and are filled up to a size', (_name, format) => {
  const event = (number: number, bytes?: number): string => renderEvent(format.event(subject, bytes), number);
  expect(event(7)).toContain(`${subject.label} 7 `);
  expect(event(1)).not.toBe(event(2));
  expect(event(1, 5_000)).toHaveLength(5_000);
  expect(event(1, 1)).toBe(event(1));
});

it.each(formats)('%s: is one character a byte', (_name, format) => {
  const { opening, event, comment, usage, endMark, closing } = format;
  const totals = { events: 3, usage: 3 };
  const text = [
    opening(subject), renderEvent(event(subject), 1), comment?.('k', totals) ?? '', usage?.(subject, 3) ?? '',
    endMark(subject, totals), closing(subject, totals),
  ].join('');
  expect(Buffer.byteLength(text)).toBe(text.length);
});

it.each(shapes.all.map((shape) => [shape.kind, shape] as const))('%s: words an error as JSON', (_kind, { error }) => {
  expect(JSON.parse(error(503))).toHaveProperty('error');
  expect(error(503)).toContain('503');
});
