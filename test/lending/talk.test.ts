/** The talks of the lending application: WebSockets over a socket, without a package (RFC 6455). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { serve } from '../../src/index.ts';
import { until } from '../support/until.ts';
import { started } from './started.ts';

/** The key of the example in RFC 6455 §1.3, and what a server answers. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const ACCEPTED = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';
const HANDSHAKE = ['Connection: Upgrade', 'Upgrade: websocket', `Sec-WebSocket-Key: ${KEY}`];
const VERSION = 'Sec-WebSocket-Version: 13';

/** Returns a frame of a client, with a mask. */
function frame(opcode: number, text: string): Buffer {
  const mask = [7, 1, 250, 3];
  const payload = Buffer.from(text).map((byte, at) => byte ^ mask[at % 4]!);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, ...mask]), payload]);
}

async function served(t: TestContext) {
  const app = await started();
  const { url, close } = await serve(app, { port: 0 });
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });
  /** Sends the lines of a handshake. `received()` is all that the service has sent. */
  const open = async (lines: readonly string[], path = '/v2/devices/AB0001/talk') => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    await once(socket, 'connect');
    socket.write(`${[`GET ${path} HTTP/1.1`, 'Host: house', ...lines].join('\r\n')}\r\n\r\n`);
    const hears = (text: string) => until(() => received.includes(text), `the text ${text}`);
    return { socket, hears, received: () => received };
  };
  return { app, close, open };
}

test('lending – two WebSockets → each hears what the other says, with the name of the session', async (t) => {
  const { app, open } = await served(t);
  const login = await app.request('/v2/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'badge=bob',
  });
  const [cookie] = login.headers.get('set-cookie')!.split(';');
  const bob = await open([...HANDSHAKE, VERSION, 'Origin: http://house', `Cookie: ${cookie}`]);
  await bob.hears(`Sec-WebSocket-Accept: ${ACCEPTED}\r\n\r\n`);
  const guest = await open([...HANDSHAKE, VERSION]);
  await guest.hears('101 Switching Protocols');
  bob.socket.write(frame(1, 'Is it free?'));
  await guest.hears('Bob: Is it free?');
  guest.socket.write(Buffer.concat([frame(1, 'Yes'), frame(1, 'Today')]));
  await bob.hears('A guest: Today');
  assert.ok(bob.received().includes('A guest: Yes'));
  guest.socket.write(frame(8, ''));
  await once(guest.socket, 'end');
  assert.deepEqual([...guest.received().subarray(-4)], [0x88, 2, 1000 >> 8, 1000 & 255]);
});

for (const [what, lines, status] of [
  ['of another site with a cookie', [...HANDSHAKE, VERSION, 'Origin: https://evil.example', 'Cookie: sid=x'], 403],
  ['with an old session', [...HANDSHAKE, VERSION, 'Origin: http://house', 'Cookie: sid=x'], 401],
  ['without a version', HANDSHAKE, 400],
  ['to another protocol', ['Connection: Upgrade', 'Upgrade: h2c', VERSION], 400],
] as const)
  test(`lending – a handshake ${what} → ${status}, as a problem`, async (t) => {
    const { open } = await served(t);
    const { socket, received } = await open(lines);
    await once(socket, 'end');
    assert.match(received().toString(), new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json`));
  });

test('lending – the stop of the service → a talk ends with the code 1001', async (t) => {
  const { close, open } = await served(t);
  const { hears, received, socket } = await open([...HANDSHAKE, VERSION]);
  await hears('101 Switching Protocols');
  const closed = close();
  await once(socket, 'end');
  await closed;
  assert.deepEqual([...received().subarray(-4)], [0x88, 2, 1001 >> 8, 1001 & 255]);
});
