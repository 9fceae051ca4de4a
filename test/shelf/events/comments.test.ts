/** Tests the times of comments in an event stream. Mocked timers warn, so no service runs in this process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { mock, test } from 'node:test';
import { events } from '../../../src/shelf/events/events.ts';
import { contextFor } from '../../../src/testing.ts';

test('D75 – silence → a comment after 15 s and not before', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const waiting: Parameters<typeof events>[1] = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  });
  const body = events(contextFor('/'), waiting).body as Readable;
  let text = '';
  body!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(body!, 'data');
  assert.equal(text, ':\n\n');
  for (const comments of [1, 2]) {
    mock.timers.tick(14_999);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    assert.equal(text.match(/: keep-alive\n\n/g)?.length ?? 0, comments - 1);
    mock.timers.tick(1);
    await once(body, 'data');
    assert.equal(text.match(/: keep-alive\n\n/g)?.length, comments);
  }
  body!.destroy();
  const quiet = events(contextFor('/'), waiting, { keepAlive: 0 }).body as Readable;
  quiet.on('data', (chunk: Buffer) => {
    text = chunk.toString();
  });
  await once(quiet, 'data');
  mock.timers.tick(3_600_000);
  assert.equal(text, ':\n\n', 'with 0 there is none');
  quiet.destroy();
});
