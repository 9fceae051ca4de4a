/** One short answer over TLS: of this library, of `node:https`, and of the compatibility API of `node:http2`. */

import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { takeTurns } from './turn.mjs';

const { application, HttpService, route } = await import(`${process.env.BENCH_MODULES}/index.js`);
const [key, cert] = readFileSync(new URL('../../support/certificate.ts', import.meta.url), 'utf8')
  .split('`')
  .filter((piece) => piece.startsWith('-----BEGIN'));
const body = '{"key":"6d1b5f0e","name":"Item1","isComplete":false}';
const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
const answer = (_, response) => response.writeHead(200, headers).end(body);
const routes = [route({ path: '{*any}', handle: () => ({ status: 200, headers, body }) })];

const servers = {
  own: new HttpService(application([{ name: 'answer', routes }]).handler, { tls: { key, cert } }).server,
  https: createServer({ key, cert }, answer),
  http2: createSecureServer({ key, cert }, answer),
};
const ports = {};
for (const [name, server] of Object.entries(servers)) {
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  ports[name] = server.address().port;
}

takeTurns(() => {
  const { user, system } = process.cpuUsage();
  return { ports, cert, processor: user + system };
});
