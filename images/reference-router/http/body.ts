// Reading a request's body and answering in JSON: the small change of the routes.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

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

/** An error in the shape that OpenAI's clients understand. */
export const refuse = (response: ServerResponse, status: number, code: string, message: string): void => {
  // After these two the connection is of no more use: the rest of the body is not read, or nothing more is accepted.
  const headers: Record<string, string> = status === 413 || status === 503 ? { connection: 'close' } : {};
  answer(response, status, { error: { message, type: 'router_error', code } }, headers);
};

/** SHA-256 of the bearer key in hex, which is all that the ledger knows of it; null without one. */
export const keyHashOf = (request: IncomingMessage): string | null => {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return key === undefined ? null : createHash('sha256').update(key).digest('hex');
};
