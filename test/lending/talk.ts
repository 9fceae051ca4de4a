/** A room for talks about a device, over WebSockets (RFC 6455). It reads short messages only, in one frame each. */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { problemReply, type Stage } from '../../src/index.ts';
import { upgrade } from '../../src/operations/upgrade.ts';
import type { Access } from './access.ts';

export const TEXT = 1;
export const CLOSE = 8;
const LONGEST = 125;
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const handshake = (key: string): string =>
  [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Accept: ${createHash('sha1').update(`${key}${GUID}`).digest('base64')}`,
    '\r\n',
  ].join('\r\n');

/** Returns a frame of a server, which has no mask. */
const frame = (opcode: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);

/** Returns a frame that says goodbye with a code. */
const goodbye = (code: number): Buffer => frame(CLOSE, Buffer.from([code >> 8, code & 255]));

/** Refuses a request that is not a handshake of a WebSocket. The handler can no longer answer with a problem. */
const webSocketOnly: Stage = (context, next) => {
  const { upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = context.headers;
  return upgrade?.toLowerCase() === 'websocket' && key !== undefined && version === '13'
    ? next(context)
    : problemReply(context, 400, 'Begin a WebSocket of the version 13', { 'Sec-WebSocket-Version': '13' });
};

export function talkAbout({ session }: Access) {
  const rooms = new Map<string, Set<Duplex>>();
  return upgrade({
    path: 'devices/{serial:serial}/talk',
    security: [session, {}],
    stages: [webSocketOnly],
    handle({ context, socket, head, values: { serial }, identity, signal }) {
      const room = rooms.get(serial) ?? new Set();
      rooms.set(serial, room.add(socket));
      socket.write(handshake(context.headers['sec-websocket-key']!));
      signal.addEventListener('abort', () => socket.end(goodbye(1001)), { once: true });
      socket.once('close', () => room.delete(socket));
      let bytes = head;
      const read = (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        while (bytes.length >= 6) {
          const length = bytes[1]! & 127;
          if (length > LONGEST) return void socket.end(goodbye(1009));
          if (bytes.length < 6 + length) return;
          const payload = bytes.subarray(6, 6 + length).map((byte, at) => byte ^ bytes[2 + (at % 4)]!);
          const opcode = bytes[0]! & 15;
          bytes = bytes.subarray(6 + length);
          if (opcode === CLOSE) return void socket.end(goodbye(1000));
          const said = Buffer.from(`${identity?.name ?? 'A guest'}: ${payload}`.slice(0, LONGEST / 3));
          for (const each of room) each.write(frame(TEXT, said));
        }
      };
      socket.on('data', read);
      read(Buffer.alloc(0));
    },
  });
}
