// The list of words is that of the types: a new kind of fact or field that it lacks is named here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWord } from './vocabulary.ts';

const SOURCES = ['model/observation', 'model/samples', 'model/facts', 'model/verdict', 'model/problem', 'model/scope', 'bundle/format'];

const wordsOf = (source: string): readonly string[] => {
  const text = readFileSync(join(import.meta.dirname, '..', `${source}.ts`), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*|^import.*$/gm, '');
  return [...text.matchAll(/'([\w.-]+)'|\b([a-zA-Z]\w+)\??:/g)].map(([, quoted, named]) => quoted ?? named!).filter((word) => word.length >= 4);
};

it('knows every word of a record', () => {
  const words = SOURCES.flatMap(wordsOf);
  expect(words.length).toBeGreaterThan(300);
  expect(words.filter((word) => !isWord(word)), 'to be added to vocabulary.ts').toEqual([]);
});

it('knows parts of words, and nothing else', () => {
  for (const word of ['true', 'phase', 'answer-ended', 'ledger', 'snapshot']) expect(isWord(word), word).toBe(true);
  for (const word of ['hunter22', 'sk-0123456789', 'answer ended', 'Ledger1']) expect(isWord(word), word).toBe(false);
});
