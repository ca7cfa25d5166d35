// The bare servers that ours are measured beside, as anybody would write them with Node alone. Runs
// in a process of its own and speaks to its parent over the channel of `fork`.
import { createServer as createHttpServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { nowMs } from '../model/time.ts';
import { eventText, HEAD_TEXT } from './stream.ts';

/** Answers one event, and notes when each peer's close was seen: by its port, absolute. */
const closing = (): Server => {
  let closes = new Map<number, number>();
  let wanted = Number.POSITIVE_INFINITY;
  const tell = (): void => {
    process.send!({ closes: [...closes] });
    closes = new Map();
    wanted = Number.POSITIVE_INFINITY;
  };
  // Without a count: what there is, because no more comes.
  process.on('message', ({ count = 0 }: { readonly count?: number }) => {
    wanted = count;
    if (closes.size >= wanted) tell();
  });
  return createServer({ noDelay: true }, (socket) => {
    const port = socket.remotePort!;
    socket.once('data', () => {
      const text = eventText(1);
      socket.write(`${HEAD_TEXT}${text.length.toString(16)}\r\n${text}\r\n`);
    });
    socket.on('error', () => {
      closes.set(port, nowMs());
      if (closes.size >= wanted) setImmediate(tell);
    });
  });
};

const begin = (response: ServerResponse): ServerResponse => {
  response.socket?.setNoDelay(true);
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
};

const silent = (): Server => createHttpServer((_, response) => void begin(response).write(eventText(1)));

const flood = (): Server =>
  createHttpServer((_, response) => {
    let number = 0;
    const pump = (): void => {
      do number += 1;
      while (!response.destroyed && response.write(eventText(number)));
    };
    begin(response).on('drain', pump);
    pump();
  });

const server = { close: closing, silent, flood }[process.argv[2] as 'close' | 'silent' | 'flood']();
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
