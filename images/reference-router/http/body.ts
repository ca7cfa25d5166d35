// Reading a request's body and answering in JSON: the small change of the routes.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chat } from '../shapes/chat.ts';
import type { Shape } from '../shapes/shape.ts';

export type Refusal = readonly [status: number, code: string, message: string];

/** Null when it is longer than the limit. @throws Error when the client left before its end */
export const readBody = async (request: IncomingMessage, limitBytes: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limitBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const answer = (response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(`${JSON.stringify(body)}\n`);
};

const HEADERS_OF: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  // After these two the connection is of no more use: the rest of the body is not read, or nothing more is accepted.
  413: { connection: 'close' },
  503: { connection: 'close' },
  429: { 'retry-after': '1' },
};

/** An error in the shape that the API's clients understand. */
export const refuse = (response: ServerResponse, [status, code, message]: Refusal, shape: Shape = chat): void =>
  answer(response, status, shape.errorBody(code, message), HEADERS_OF[status]);

/** SHA-256 of the key in hex, which is all that the ledger knows of it; null without one. */
export const keyHashOf = (request: IncomingMessage): string | null => {
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? (typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined);
  return key === undefined ? null : createHash('sha256').update(key).digest('hex');
};
