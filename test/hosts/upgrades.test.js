/** Runs the program of the page about WebSockets with the package `ws`, and closes a client that sends too much. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket, WebSocketServer } from 'ws';
import { application, serve } from '../../src/index.ts';
import { upgrade } from '../../src/operations/upgrade.ts';
import { apiKeys, authentication } from '../../src/shelf/authentication/authentication.ts';
import { blocksOf, written } from '../house/page-programs.ts';

const PAGE = 'src/guide/serving.md';

test('the program of the page about WebSockets → prints what the page says', async (t) => {
  const program = blocksOf(PAGE, 'ts').find(({ text }) => text.includes("from 'ws'"));
  // Written here, because the package `ws` is installed here.
  const url = written(program, fileURLToPath(new URL('.', import.meta.url)));
  t.after(() => rmSync(fileURLToPath(url)));
  const printed = [];
  const closed = new Promise((resolve) => {
    t.mock.method(console, 'log', (...words) => {
      printed.push(words.join(' '));
      if (printed.length === 2) resolve();
    });
  });
  await import(url);
  await closed;
  assert.deepEqual(printed, ['7: Hello', '1001']);
});

async function guarded(t) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 });
  const session = apiKeys({ s1: { identity: 'Ann' } }, { in: 'cookie' });
  const rooms = upgrade({
    path: 'rooms/{id}/ws',
    security: [session],
    handle: ({ request, socket, head, identity }) =>
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => {});
        client.on('message', (data) => client.send(`${identity}: ${data}`));
      }),
  });
  const { url, close } = await serve(application([authentication(session), { name: 'rooms', routes: [rooms] }]), {
    port: 0,
    shutdownGrace: 0,
  });
  t.after(close);
  return (headers) => new WebSocket(`${url.replace('http', 'ws')}/rooms/7/ws`, { headers });
}

test('a WebSocket with a session → the identity, and a message that is too long closes it', async (t) => {
  const connect = await guarded(t);
  const client = connect({ Cookie: 'sid=s1' });
  await once(client, 'open');
  client.send('Hello');
  assert.equal(String((await once(client, 'message'))[0]), 'Ann: Hello');
  client.send('x'.repeat(17));
  assert.equal((await once(client, 'close'))[0], 1009);
});

for (const [what, headers, status] of [
  ['without a session', {}, 401],
  ['with a wrong session', { Cookie: 'sid=old' }, 401],
  ['of a page of another site', { Cookie: 'sid=s1', 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['of an old browser on another site', { Cookie: 'sid=s1', Origin: 'https://evil.example' }, 403],
])
  test(`a WebSocket ${what} → ${status}`, async (t) => {
    const connect = await guarded(t);
    const client = connect(headers);
    const [, response] = await once(client, 'unexpected-response');
    assert.equal(response.statusCode, status);
    response.destroy();
  });
