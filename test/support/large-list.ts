/** Tests a service with a list larger than its memory: with a fast client, a slow one, and clients that disconnect. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { startService } from '../abuse/running-service.ts';
import { ask, Client } from './ask.ts';
import { until } from './until.ts';

/** The number of items. The variable `ITEMS` sets another number, for example `ITEMS=1000000`. */
export const LARGE = Number(process.env['ITEMS'] ?? 100_000);

/** Returns an item of the usual size, more than a hundred bytes. */
export const largeItem = (at: number): string =>
  JSON.stringify({ key: `k${at}`, name: `Item ${at} ${'x'.repeat(60)}`, isComplete: at % 2 === 0 });

const GROWTH = 100 * 1024 * 1024;

/** Starts a service with a list of `LARGE` items and checks its memory. `hasTag` is true if the list has an ETag. */
export async function checkLargeList(t: TestContext, flags: readonly string[], hasTag = false): Promise<void> {
  // With a small heap, V8 collects garbage before the memory of the process grows.
  const service = await startService({ flags, node: ['--max-old-space-size=64', '--max-semi-space-size=4'] });
  t.after(() => service.stop('SIGKILL'));
  const { port } = service;
  const key = 'k7';
  // The first request compiles the code of later requests.
  assert.equal((await ask(port, { target: `/api/todo/${key}` })).status, 200);
  const before = service.memory();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, service.memory());
  }, 20);
  t.after(() => clearInterval(look));

  const begin = performance.now();
  const response = await listOf(port);
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers.etag !== undefined, hasTag);
  let [first, last, items, tail] = [0, 0, 0, ''];
  for await (const chunk of response.setEncoding('latin1')) {
    if (first === 0) first = performance.now();
    const text = tail + (chunk as string);
    items += text.split('"key":').length - 1;
    tail = text.slice(-5);
    last = performance.now();
  }
  assert.equal(items, LARGE);
  assert.equal(tail.at(-1), ']');
  const whole = most - before;

  // A client that does not read must not delay others or keep the list in memory. Nor must one that disconnects.
  const slow = new Client(port, { reads: false });
  await slow.send({ target: '/api/todo' });
  const leaving = await Promise.all(Array.from({ length: 8 }, () => listOf(port)));
  for (const response of leaving) {
    await once(response, 'readable');
    response.destroy();
  }
  for (let times = 0; times < 20; times++) assert.equal((await ask(port, { target: `/api/todo/${key}` })).status, 200);
  slow.destroy();
  await slow.closed();
  const idle = async (): Promise<boolean> =>
    /^http_connections 1$/m.test((await ask(port, { target: '/metrics' })).text);
  await until(idle, 'the connections of the disconnected clients are closed', 10_000);
  clearInterval(look);
  assert.ok(most - before < GROWTH, `the service has grown by ${most - before} bytes`);
  assert.equal((await service.stop()).code, 0);
  assert.equal(service.errors(), '');
  const figure = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
  t.diagnostic(
    `${LARGE} items: first byte after ${Math.round(first - begin)} ms, last after ${Math.round(last - begin)} ms, ` +
      `memory ${figure(before)}, ${figure(whole)} more for one, ${figure(most - before)} more for ten at once`,
  );
}

function listOf(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/api/todo', agent: false }, resolve).on('error', reject);
  });
}
