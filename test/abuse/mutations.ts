/** Ways to spoil a request: each takes its bytes and gives others. */
import { HOSTILE_BODIES, HOSTILE_LINES, HOSTILE_PIECES, HOSTILE_TARGETS } from './hostile.ts';
import type { Random } from './random.ts';

const LENGTHS = [
  '0',
  '1',
  '5',
  '4096',
  '4097',
  '99999999999999999999',
  '-1',
  '+5',
  '0x10',
  '5, 5',
  '5 5',
  '1e2',
  '',
  '05',
  '70000',
  '١',
];

type Mutation = (bytes: Buffer, chance: Random) => Buffer;

const splice = (bytes: Buffer, from: number, to: number, piece: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(to)]);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Changes the head as text, line by line. */
const head =
  (change: (lines: string[], chance: Random) => void): Mutation =>
  (bytes, chance) => {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return bytes;
    const lines = bytes.toString('latin1', 0, end).split('\r\n');
    change(lines, chance);
    return splice(bytes, 0, end, latin(lines.join('\r\n')));
  };

const target = (change: (target: string, chance: Random) => string): Mutation =>
  head((lines, chance) => {
    const parts = lines[0]!.split(' ');
    if (parts[1] !== undefined) parts[1] = change(parts[1], chance);
    lines[0] = parts.join(' ');
  });

const mutations: readonly Mutation[] = [
  // Bytes.
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, at + 1, chance.bytes(1));
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, at, chance.bytes(1 + chance.below(4)));
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, at + 1 + chance.below(8), latin(''));
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, at, bytes.subarray(at, at + chance.below(60)));
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, at, latin(chance.pick(HOSTILE_PIECES)));
  },
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length) + 1),
  // Head.
  head((lines, chance) => lines.splice(1 + chance.below(lines.length), 0, chance.pick(HOSTILE_LINES))),
  head((lines, chance) => {
    lines.splice(1 + chance.below(lines.length), 0, chance.pick(HOSTILE_LINES), chance.pick(HOSTILE_LINES));
  }),
  head((lines, chance) => lines.splice(1 + chance.below(lines.length), 1)),
  head((lines, chance) => lines.push(lines[chance.below(lines.length)]!)),
  head((lines, chance) => lines.push(...Array.from({ length: chance.below(60) }, (_, at) => `X-${at}: y`))),
  head((lines, chance) => lines.push(`X-Long: ${'z'.repeat(chance.below(6000))}`)),
  head((lines, chance) => {
    const at = chance.below(lines.length);
    lines[at] = lines[at]!.replace(/: ?/, () => chance.pick([' : ', ':', ':\t', '\t:', ': \x0b', '\r\n : ', ':\0']));
  }),
  head((lines, chance) => {
    lines[0] = lines[0]!.replace(/HTTP.*/, () =>
      chance.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/11', 'RTSP/1.0', '']),
    );
  }),
  head((lines, chance) => {
    lines[0] = lines[0]!.replace(/^\S+/, () =>
      chance.pick([
        'OPTIONS',
        'TRACE',
        'CONNECT',
        'PRI',
        'get',
        'HEAD',
        'QUERY',
        'M-SEARCH',
        'DELETE',
        '',
        'A'.repeat(99),
      ]),
    );
  }),
  head((lines, chance) => {
    const at = lines.findIndex((line) => /^content-length/i.test(line));
    lines[at < 0 ? lines.length : at] = `Content-Length: ${chance.pick(LENGTHS)}`;
  }),
  target((_, chance) => chance.pick(HOSTILE_TARGETS)),
  target((asked, chance) => {
    const at = chance.below(asked.length + 1);
    return asked.slice(0, at) + chance.pick(HOSTILE_PIECES) + asked.slice(at);
  }),
  target((asked, chance) => asked + '/..%2f'.repeat(chance.below(40))),
  target((asked, chance) => asked + 'a'.repeat(chance.below(900))),
  // Ends of lines.
  (bytes, chance) =>
    latin(
      bytes
        .toString('latin1')
        .replace(/\r\n/g, () => (chance.chance(0.2) ? chance.pick(['\n', '\r', '\r\r\n', '\n\r\n']) : '\r\n')),
    ),
  // Body.
  (bytes, chance) => {
    const end = bytes.indexOf('\r\n\r\n');
    const body = chance.pick(HOSTILE_BODIES);
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    const lines = bytes
      .toString('latin1', 0, Math.max(end, 0))
      .replace(/\r\n(?:content-length|transfer-encoding|expect):.*/gi, '');
    return Buffer.concat([latin(`${lines}\r\nContent-Length: ${content.length}\r\n\r\n`), content]);
  },
];

/** One mutation by chance. */
export const mutated = (bytes: Buffer, chance: Random): Buffer =>
  bytes.length === 0 ? bytes : chance.pick(mutations)(bytes, chance);
