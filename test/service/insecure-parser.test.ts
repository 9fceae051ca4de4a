/**
 * Starts the service with the flag of Node that makes its parser lenient, and sends what this parser then accepts: a
 * proxy in front of the service could see one request where the service would see two (RFC 9112 §11.2).
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { text } from '../../src/core/http/replies.ts';
import { listener } from '../../src/core/server/service.ts';
import { type RunningService, startService } from '../abuse/running-service.ts';
import { Client, statusesOf } from '../support/ask.ts';

let service: RunningService;
const lenient = hostWith({ insecureHTTPParser: true });
const strict = hostWith({ insecureHTTPParser: false });

before(async () => {
  const { NODE_OPTIONS = '' } = process.env;
  service = await startService({ env: { NODE_OPTIONS: `${NODE_OPTIONS} --insecure-http-parser` } });
});
after(() => service.stop());
for (const host of [lenient, strict]) after(() => host.close());

function hostWith(options: { readonly insecureHTTPParser: boolean }): Server {
  return createServer(
    options,
    listener(async (context) => text(String(await context.body()))),
  ).listen(0, '127.0.0.1');
}

const SECOND = 'GET /api/todo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
/** A request with these header lines and this body. */
const post = (lines: readonly string[], body = ''): string =>
  `${['POST /api/todo HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n')}${body}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const LAST_CHUNK = '0\r\n\r\n';

for (const [clause, what, first] of [
  ['6.1', 'a length, then a coding', post(['Content-Length: 5', CHUNKED], LAST_CHUNK)],
  ['6.1', 'a coding, then a length', post([CHUNKED, 'Content-Length: 5'], LAST_CHUNK)],
  [
    '6.1',
    'a coding and a length that covers the next request',
    post([CHUNKED, `Content-Length: ${LAST_CHUNK.length + SECOND.length}`], LAST_CHUNK),
  ],
  ['5.2', 'a folded line', post(['X-A: 1', ' 2'])],
  ['5.2', 'a folded line that looks like a length', post(['X-A: 1', ` Content-Length: ${SECOND.length}`])],
  ['5.2', 'a folded coding', post(['Transfer-Encoding:', ' chunked'], LAST_CHUNK)],
  ['2.2', 'a bare line feed after a header line', post([`X-A: 1\nContent-Length: 0`])],
  ['2.2', 'bare line feeds only', 'POST /api/todo HTTP/1.1\nHost: a\n\n'],
  ['5.1', 'a space before a colon', post([`Transfer-Encoding : chunked`], LAST_CHUNK)],
  ['5.5', 'a NUL in a value', post(['X-A: \0'])],
  ['5.5', 'a control character in a value', post(['X-A: \x01'])],
  ['5.5', 'DEL in a value', post(['X-A: \x7f'])],
  ['7.1', 'a space after the size of a chunk', post([CHUNKED], `1 \r\nx\r\n${LAST_CHUNK}`)],
  ['7.1', 'a chunk without a line end', post([CHUNKED], `1\r\nx${LAST_CHUNK}`)],
] as const)
  test(`RFC 9112 §${clause} – NODE_OPTIONS=--insecure-http-parser, ${what}, then a second request → 400, and nothing else is answered`, async () => {
    assert.deepEqual(await answersOf(service.port, first + SECOND), [400]);
    assert.deepEqual(await answersOf(portOf(strict), first + SECOND), [400]);
    // The parser of a host that is lenient accepts both requests.
    assert.deepEqual(await answersOf(portOf(lenient), first + SECOND), [200, 200]);
  });

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function answersOf(port: number, bytes: string): Promise<readonly number[]> {
  const client = new Client(port);
  await client.send(bytes);
  const statuses = statusesOf(await client.answers());
  client.destroy();
  return statuses;
}
