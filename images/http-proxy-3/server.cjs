// http-proxy-3 as its manual shows it: everything is passed on to one target, nothing is configured.
const { createServer } = require('node:http');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const { createProxyServer } = createRequire(join(process.env.INSTALLED, 'package.json'))('http-proxy-3');
const proxy = createProxyServer({ target: process.env.UPSTREAM_URL });

proxy.on('error', (error, request, response) => {
  console.error(`${request.method} ${request.url}: ${error.message}`);
  if (response.headersSent || !response.writeHead) return response.destroy();
  response.writeHead(502).end('bad gateway');
});

createServer((request, response) => proxy.web(request, response)).listen(Number(process.env.PORT), process.env.HOST);
