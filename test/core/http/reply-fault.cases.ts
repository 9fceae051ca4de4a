/** Invalid and valid replies of a plugin, with the message for each fault. */
import { Readable } from 'node:stream';
import { json, replyWith, stream, text, withHeaders } from '../../../src/core/http/replies.ts';
import { problem } from '../../../src/operations/operation/problems.ts';

export interface ReplyCase {
  readonly clause: string;
  readonly question: string;
  /** Called for each test, as a stream can be sent only once. */
  readonly reply: () => unknown;
  /** The fault; undefined for a valid reply. */
  readonly says: RegExp | undefined;
  readonly method?: string;
  /** The function that creates the reply throws, so no reply is returned. */
  readonly throwsEarly?: true;
}

type Make = () => unknown;
const cases = (clause: string, rows: readonly (readonly [question: string, reply: Make, says: RegExp])[]) =>
  rows.map(([question, reply, says]): ReplyCase => ({ clause, question, reply, says }));
const valid = (clause: string, question: string, reply: Make, method = 'GET'): ReplyCase => ({
  clause,
  question,
  reply,
  says: undefined,
  method,
});
const headers =
  (lines: unknown, more: object = { body: 'abc' }) =>
  (): unknown => ({ status: 200, headers: lines, ...more });
const status = (value: unknown) => (): unknown => ({ status: value, headers: {} });
const body = (value: unknown) => headers({}, { body: value });
const UNSENT = { 'X-A': '\n' };

function readFrom(): Readable {
  const stream = Readable.from(['abc', 'def']);
  stream.read();
  return stream;
}

function destroyed(): Readable {
  const stream = Readable.from(['abc']);
  stream.destroy();
  return stream;
}

/** The function that creates the reply throws. */
const EARLY: readonly ReplyCase[] = [
  ...cases('plugins', [
    ['json(undefined)', () => json(undefined), /Cannot make json\(…\) of undefined; .*return empty/],
    ['json of a function', () => json(() => 1), /Cannot make json\(…\) of a function; give null or/],
    ['text(undefined)', () => text(undefined as never), /Cannot make text\(…\) of undefined; give a text/],
    ['stream of a number', () => stream(5 as never), /Cannot make stream\(…\) of a number; give a source of texts/],
    ['text with a status', () => text('a', { status: 99 }), /Cannot make a reply with the status "99"/],
    [
      'a changed body with the former length',
      () => replyWith(text('a'), { headers: { 'Content-Length': '1' }, body: 'abc' }),
      /Cannot make a reply with the Content-Length 1 for a body of 3 bytes/,
    ],
    ['a changed header that cannot be sent', () => withHeaders(text('a'), UNSENT), /reply with the header X-A/],
    ['headers of odd length', () => text('a', { headers: ['X-A'] }), /a list of headers of odd length/],
    [
      'a problem with a header that cannot be sent',
      () => problem(409, 'Taken', { headers: UNSENT }),
      /with the header X-A/,
    ],
  ]),
  ...cases('RFC 9110 §15', [
    ['a body with the status 101', () => text('a', { status: 101 }), /Cannot make a reply with the status "101"/],
    ['a changed status', () => replyWith(text('a'), { status: 600 }), /Cannot make a reply with the status "600"/],
  ]),
].map((row) => ({ ...row, throwsEarly: true as const }));

export const INVALID: readonly ReplyCase[] = [
  ...EARLY,
  ...cases('plugins', [
    ['nothing at all', () => undefined, /returned nothing; return a reply/],
    ['null', () => null, /returned nothing/],
    ['a text', () => 'abc', /returned a string, not a reply; wrap it in text/],
    ['true', () => true, /returned a boolean/],
    ['an object that is not a reply', () => ({ ok: true }), /the status "undefined"/],
    ['a thenable that is not a Promise', () => ({ then(): void {} }), /a thenable that is not a Promise; await/],
    ['no headers', () => ({ status: 200 }), /with no headers; return text\(…\), json\(…\) or ok\(…\)/],
    ['a Response of the Web', () => new Response('abc'), /json\(await response\.json\(\)\), or \{ status/],
    ['headers as a Map', headers(new Map() as never), /with its headers as a Map/],
    ['a list of headers of odd length', headers(['X-A']), /a list of headers of odd length/],
    ['a header whose value is a list', headers({ 'Set-Cookie': ['a', 'b'] }), /with an object as its value/],
    ['a body that is a number', body(5), /a number as a body; give a text, bytes or a/],
    ['a body that is an object', body({ a: 1 }), /an object as a body/],
    ['a body that is null', body(null), /null as a body/],
    ['a list of texts as a body', body(['abc']), /a list as a body; give a text, bytes/],
    ['a stream that was read from', body(readFrom()), /has ended, failed or was read from/],
    ['a stream that was destroyed', body(destroyed()), /a stream that has ended/],
  ]),
  ...cases('RFC 9110 §15', [
    ['status 199', status(199), /"199"; give a whole number from 200 to 599/],
    ['status 600', status(600), /"600"/],
    ['status "200"', status('200'), /"200"/],
    ['status NaN', status(NaN), /"NaN"/],
  ]),
  ...cases('RFC 9112 §6.3', [
    ['a length that is shorter', headers({ 'Content-Length': '2' }), /Content-Length 2 for a body of 3 bytes/],
    ['a length that is longer', headers({ 'content-length': '4' }), /Content-Length 4 for a body of 3 bytes/],
    ['a length in characters', headers({ 'Content-Length': '1' }, { body: 'é' }), /for a body of 2 bytes/],
    ['a length of bytes', headers({ 'Content-Length': '2' }, { body: Buffer.from('abc') }), /of 3 bytes/],
    ['a length without a body', headers({ 'Content-Length': '2' }, {}), /for a body of 0 bytes/],
    [
      'a length twice',
      headers(['Content-Length', '3', 'content-length', '3']),
      /two Content-Length headers; leave both out: text\(…\), json\(…\) and the server add it/,
    ],
    ['a negative length', headers({ 'Content-Length': '-3' }), /the Content-Length "-3"; leave it out and it is added/],
    ['a length that is not a number', headers({ 'Content-Length': '3 ' }), /the Content-Length "3 "/],
    ['a length that is a number', headers({ 'Content-Length': 3 }), /a number as its value; write it as a text/],
  ]),
  ...cases('RFC 9112 §6.1', [
    ['Transfer-Encoding', headers({ 'transfer-encoding': 'chunked' }), /Transfer-Encoding header; leave/],
  ]),
  ...cases('RFC 9110 §7.6.1', [
    ['Connection: close', headers({ Connection: 'close' }), /a Connection header; leave connections/],
  ]),
  ...cases('D10', [
    ['an X-Request-Id', headers({ 'X-Request-Id': 'mine' }), /X-Request-Id header, which every reply has already/],
  ]),
  ...cases('RFC 9110 §5.5', [
    [
      'a header with a line break',
      headers({ 'X-A': 'a\r\nSet-Cookie: b' }),
      /with a character that no header can carry/,
    ],
    ['a header with U+0000', headers({ 'X-A': 'a\0' }), /X-A with a character/],
    ['a header with letters outside Latin-1', headers({ 'X-A': '日本' }), /X-A with a character/],
  ]),
  ...cases('RFC 9110 §5.6.2', [
    ['a header name with a space', headers({ 'X A': 'a' }), /the name "X A"/],
    ['a header without a name', headers(['', 'a']), /the name ""/],
    ['a header whose name is not a text', headers([null, 'a']), /a header with the name "null"/],
  ]),
  ...cases('RFC 9110 §8.6, §15.3.5', [
    [
      '204 with a length',
      () => ({ status: 204, headers: { 'Content-Length': '0' } }),
      /a 204 with a Content-Length; a 204 has no body: use empty\(\)/,
    ],
    ['204 with a body', () => ({ status: 204, headers: {}, body: 'abc' }), /a 204 with a body/],
  ]),
];

const OF_200 = { 'Content-Length': '5', ETag: '"a"' };
export const VALID: readonly ReplyCase[] = [
  valid('plugins', 'a status alone', status(200)),
  valid('RFC 9110 §15', 'status 599', status(599)),
  valid('RFC 9110 §8.6', 'the length of a body that HEAD omits', headers({ 'Content-Length': '5' }, {}), 'HEAD'),
  valid('RFC 9110 §15.4.5', '304 with the length of the 200', () => ({ status: 304, headers: OF_200 })),
  valid('RFC 9110 §15.4.5', '304 with a body', () => ({ status: 304, headers: {}, body: 'abc' })),
  valid('RFC 9110 §5.5', 'a header in Latin-1, with a tab', headers({ 'X-A': 'é\tb' })),
  valid('RFC 9110 §5.5', 'an empty header', headers({ 'X-A': '' })),
  valid('plugins', 'a stream that has its first chunk ready', body(Readable.from(['abc']))),
];
