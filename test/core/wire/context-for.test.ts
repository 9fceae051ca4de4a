/** Contexts for tests of stages and handlers, as the server makes them (D78). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../src/core/message/context.ts';
import { slot } from '../../../src/core/message/slot.ts';
import { contextFor } from '../../../src/testing.ts';

const CASES: readonly (readonly [
  options: NonNullable<Parameters<typeof contextFor>[1]>,
  of: string,
  read: (context: Context) => unknown,
  expected: unknown,
])[] = [
  [{}, 'address', ({ request }) => request.socket.remoteAddress, '127.0.0.1'],
  [{ remoteAddress: '192.0.2.1' }, 'address', ({ request }) => request.socket.remoteAddress, '192.0.2.1'],
  [{ remoteAddress: '::FFFF:c000:201' }, 'client', ({ remoteAddress }) => remoteAddress, '192.0.2.1'],
  [{ json: { a: 'ä' } }, 'body', async (context) => String(await context.body()), '{"a":"ä"}'],
  [
    { json: null },
    'type and length',
    ({ headers: h }) => `${h['content-type']} ${h['content-length']}`,
    'application/json 4',
  ],
  [{ json: 1, headers: { 'content-type': 'a/b' } }, 'type', ({ headers }) => headers['content-type'], 'a/b'],
  [{ headers: { host: 'own' } }, 'host', ({ headers }) => headers.host, 'own'],
  [{ basePath: '/tools' }, 'path', ({ path, basePath }) => basePath + path, '/tools/x'],
  [{ stopping: AbortSignal.abort() }, 'stop', ({ stopping }) => stopping.aborted, true],
  [{}, 'stop', ({ stopping }) => stopping.aborted, false],
];
for (const [options, of, read, expected] of CASES)
  test(`D78 – contextFor with ${JSON.stringify(options)} → its ${of} is ${expected}`, async () => {
    assert.deepEqual(
      await read(contextFor('/tools/x'.slice(options.basePath === undefined ? 6 : 0), options)),
      expected,
    );
  });

test('D78 – a stop that begins later → the stage sees it', () => {
  const controller = new AbortController();
  const { stopping } = contextFor('/', { stopping: controller.signal });
  controller.abort();
  assert.equal(stopping.aborted, true);
});

test('D78 – a slot of a context of a test → is set and read', () => {
  const user = slot<string>('user');
  const context = contextFor('/');
  user.set(context, 'Ada');
  assert.equal(user.get(context), 'Ada');
});
