// The bytes of a request as they go on the wire.
import type { OutgoingRequest } from './step.ts';

/** A host and a length are added where the card names none. @param host `address:port` */
export const renderRequest = (request: OutgoingRequest, host: string): string => {
  const names = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (!names.has('host')) headers.unshift(`host: ${host}\r\n`);
  const hasBody = request.body !== '' || request.method === 'POST';
  if (hasBody && !names.has('content-length')) headers.push(`content-length: ${Buffer.byteLength(request.body)}\r\n`);
  return `${request.method} ${request.path} HTTP/1.1\r\n${headers.join('')}\r\n${request.body}`;
};
