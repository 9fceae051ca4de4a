/** What the long tests found once: the last answers of a connection, which Node alone would have lost. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { text } from '../../src/core/http/replies.ts';
import { HttpService } from '../../src/core/server/service.ts';
import { until } from '../support/until.ts';
import { readAnswers } from './answers.ts';

const LARGE = Buffer.alloc(400_000, 'x');
const service = new HttpService(async ({ path }) => {
  await new Promise(setImmediate);
  return path === '/large'
    ? { status: 200, headers: ['Content-Type', 'text/plain', 'Content-Length', String(LARGE.length)], body: LARGE }
    : text(path);
});
const { port } = await service.listen(0);
after(() => service.close(0));

/** Writes the pieces one after the other, closes this side, and gives status and length of every answer. */
async function answersTo(...pieces: string[]): Promise<readonly (readonly [number, number])[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part)).on('end', () => socket.end());
  await once(socket, 'connect');
  for (const piece of pieces) await new Promise((written) => void socket.write(piece, () => setImmediate(written)));
  socket.end();
  await once(socket, 'close');
  const { answers, fault } = readAnswers(Buffer.concat(parts));
  assert.equal(fault, undefined);
  return answers.map(({ status, headers }) => [status, Number(headers.get('content-length'))]);
}

const asked = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const statuses = (answers: readonly (readonly [number, number])[]): number[] => answers.map(([status]) => status);

test('abuse – a request after an offered upgrade, which Node drops → the answer ends the connection', async () => {
  assert.deepEqual(statuses(await answersTo(asked('/a', 'Connection: Upgrade', 'Upgrade: h2c') + asked('/b'))), [200]);
});

test('RFC 9112 6.1 – an unknown transfer coding after a running request with a complete body → the answer ends the connection', async () => {
  const strange = 'Host: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  assert.deepEqual(statuses(await answersTo(`${asked('/a')}POST /b HTTP/1.0\r\n${strange}${asked('/c')}`)), [200, 400]);
  assert.deepEqual(
    statuses(await answersTo(`${asked('/a')}POST /b HTTP/1.1\r\nTransfer-Encoding: gzip\r\n${strange}${asked('/c')}`)),
    [200, 501],
  );
});

test('abuse – a broken request or a CONNECT after an answer that ends the connection → no second answer', async () => {
  assert.deepEqual(
    statuses(await answersTo(`${asked('/a', 'Upgrade: h2c')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)),
    [200],
  );
  assert.deepEqual(statuses(await answersTo(`${asked('/a', 'Upgrade: h2c')}`, 'broken\r\n\r\n')).slice(1), []);
});

test('abuse – a broken request after a running request, from a client that closes its side → 200, 400', async () => {
  assert.deepEqual(statuses(await answersTo(`${asked('/a')}GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n`)), [200, 400]);
});

test('RFC 9112 9.6 – a client that writes on after its last request → gets the whole answer', async () => {
  for (let round = 0; round < 15; round++) {
    const tries = Array.from({ length: 8 }, () =>
      answersTo(
        'GET /large HTTP/1.0\r\n\r\n',
        'PATCH /more HTTP/1.1\r\nHost: a\r\n',
        'Content-Length: 40\r\n\r\n'.padEnd(80, 'z'),
      ),
    );
    for (const answers of await Promise.all(tries)) assert.deepEqual(answers, [[200, LARGE.length]]);
  }
});

test('abuse – a client that sends thousands of requests and does not read → a limited number is answered', async () => {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  await once(socket, 'connect');
  socket.write(asked('/large').repeat(3000));
  const connection = () => [...service.connections].at(-1);
  await until(() => (connection()?.waiting.length ?? 0) > 500, 'requests that wait');
  assert.ok(connection()!.unsent < 2 * LARGE.length, `${connection()!.unsent} bytes are unsent`);
  socket.destroy();
});
