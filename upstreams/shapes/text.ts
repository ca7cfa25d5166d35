// What the shapes write alike.
import type { EventParts, Format, Subject } from './shape.ts';

export const MODEL = 'gpt-test';
export const EVENT_STREAM = 'text/event-stream; charset=utf-8';
export const JSON_DOCUMENT = 'application/json';

const lengthOf = (parts: EventParts): number => parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);

/**
 * A data event with the text `<label> <number> ` between what comes before and after it.
 * @param bytes its length for a number of one digit; the text is filled up with dots
 */
export const eventWith = (before: EventParts, { label }: Subject, after: string, bytes = 0): EventParts => {
  const parts: EventParts = [...before, `${label} `, 0, ' '];
  return [...parts, '.'.repeat(Math.max(0, bytes - lengthOf(parts) - after.length)) + after];
};

/** The text of one data event. */
export const renderEvent = (parts: EventParts, number: number): string =>
  parts.map((part) => (typeof part === 'string' ? part : String(number + part))).join('');

const MOST_REPEATED = 100;

/** All the text of so many events, for shapes that say it again at the end; beyond a hundred it is left out. */
export const wholeText = ({ label }: Subject, events: number): string =>
  events > MOST_REPEATED ? '' : Array.from({ length: events }, (_, index) => `${label} ${index + 1} `).join('');

/** One server-sent event whose name is its data's `type`, as the newer APIs write them. @param rest further fields of the data */
export const typed = (type: string, rest: string): string => `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`;

export const errorMessage = (status: number): string => `upstream answers ${status}`;

/** The error body of OpenAI's APIs. */
export const openaiError = (status: number): string =>
  JSON.stringify({ error: { message: errorMessage(status), type: 'upstream_error', param: null, code: status } });

/**
 * One JSON document that is written as it is made: a piece of its text an event, its usage at the end. What keeps
 * its connection warm is an empty line before it, or a blank within its text.
 */
export const documentWith = ({ opening, closing }: Pick<Format, 'opening' | 'closing'>): Format => ({
  contentType: JSON_DOCUMENT,
  opening,
  opensWith: 'content',
  event: (subject, bytes) => eventWith([], subject, '', bytes),
  comment: (_text, { events }) => (events === 0 ? '\n' : ' '),
  usage: () => '',
  endMark: () => '',
  closing,
});
