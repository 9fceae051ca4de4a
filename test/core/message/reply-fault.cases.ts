/** Invalid and valid replies of a plugin, with the message for each fault. */
import { Readable } from 'node:stream';
import { json, replyWith, text, withHeaders } from '../../../src/core/message/replies.ts';
import { answer, ok } from '../../../src/operations/operation/answers.ts';
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

const LENGTH = 'RFC 9112 §6.3';
const row = (clause: string, question: string, reply: () => unknown, says?: RegExp, method = 'GET'): ReplyCase => ({
  clause,
  question,
  reply,
  says,
  method,
});
const throwing = (...[clause, question, reply, says]: Parameters<typeof row>): ReplyCase => ({
  ...row(clause, question, reply, says),
  throwsEarly: true,
});
const headers =
  (lines: unknown, more: object = { body: 'abc' }) =>
  (): unknown => ({ status: 200, headers: lines, ...more });

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

export const INVALID: readonly ReplyCase[] = [
  row('plugins', 'nothing at all', () => undefined, /returned nothing; return a reply/),
  row('plugins', 'null', () => null, /returned nothing/),
  throwing('plugins', 'json(undefined)', () => json(undefined), /Cannot make json\(…\) of undefined; .*return empty/),
  throwing('plugins', 'json of a function', () => json(() => 1), /Cannot make json\(…\) of a function; give null or/),
  throwing(
    'plugins',
    'text(undefined)',
    () => text(undefined as never),
    /Cannot make text\(…\) of undefined; give a text/,
  ),
  throwing(
    'plugins',
    'text with a status',
    () => text('a', { status: 99 }),
    /Cannot make a reply with the status "99"/,
  ),
  throwing(
    'plugins',
    'a changed body with the former length',
    () => replyWith(text('a'), { headers: { 'Content-Length': '1' }, body: 'abc' }),
    /Cannot make a reply with the Content-Length 1 for a body of 3 bytes/,
  ),
  throwing(
    'plugins',
    'a changed header that cannot be sent',
    () => withHeaders(text('a'), { 'X-A': '\n' }),
    /Cannot make a reply with the header X-A/,
  ),
  throwing(
    'RFC 9110 §15',
    'a value with the status 101',
    () => answer(101),
    /Cannot make a reply with the status "101"/,
  ),
  throwing(
    'RFC 9110 §15',
    'a value whose status is changed to 600',
    () => replyWith(ok('a'), { status: 600 }),
    /Cannot make a reply with the status "600"/,
  ),
  throwing(
    'plugins',
    'a value with headers of odd length',
    () => answer(200, 'a', { headers: ['X-A'] }),
    /Cannot make a reply with a list of headers of odd length/,
  ),
  throwing(
    'plugins',
    'a value with its headers as a Map',
    () => answer(200, 'a', { headers: new Map([['X-A', 'b']]) as never }),
    /Cannot make a reply with its headers as a Map/,
  ),
  throwing(
    'plugins',
    'a value with a header that cannot be sent',
    () => problem(409, 'Taken', { headers: { 'X-A': '\n' } }),
    /Cannot make a reply with the header X-A/,
  ),
  row('plugins', 'a text', () => 'abc', /returned a string, not a reply; wrap it in text/),
  row('plugins', 'a number', () => 5, /returned a number/),
  row('plugins', 'true', () => true, /returned a boolean/),
  row('plugins', 'an object that is not a reply', () => ({ ok: true }), /the status "undefined"/),
  row(
    'plugins',
    'a thenable that is not a Promise',
    () => ({ then(): void {} }),
    /a thenable that is not a Promise; await/,
  ),
  row('RFC 9110 §15', 'status 100', () => ({ status: 100, headers: {} }), /"100"; give a whole number from 200 to 599/),
  row('RFC 9110 §15', 'status 199', () => ({ status: 199, headers: {} }), /"199"/),
  row('RFC 9110 §15', 'status 600', () => ({ status: 600, headers: {} }), /"600"/),
  row('RFC 9110 §15', 'status "200"', () => ({ status: '200', headers: {} }), /"200"/),
  row('RFC 9110 §15', 'status NaN', () => ({ status: NaN, headers: {} }), /"NaN"/),
  row('plugins', 'no headers', () => ({ status: 200 }), /with no headers; return text\(…\), json\(…\) or ok\(…\)/),
  row('plugins', 'a Response of the Web', () => new Response('abc'), /json\(await response\.json\(\)\), or \{ status/),
  row('plugins', 'a list of headers of odd length', headers(['X-A']), /a list of headers of odd length/),
  row(LENGTH, 'a length that is shorter', headers({ 'Content-Length': '2' }), /Content-Length 2 for a body of 3 bytes/),
  row(LENGTH, 'a length that is longer', headers({ 'content-length': '4' }), /Content-Length 4 for a body of 3 bytes/),
  row(LENGTH, 'a length in characters', headers({ 'Content-Length': '1' }, { body: 'é' }), /for a body of 2 bytes/),
  row(
    LENGTH,
    'a length of bytes that is shorter',
    headers({ 'Content-Length': '2' }, { body: Buffer.from('abc') }),
    /of 3 bytes/,
  ),
  row(LENGTH, 'a length without a body', headers({ 'Content-Length': '2' }, {}), /for a body of 0 bytes/),
  row(
    LENGTH,
    'a length twice',
    headers(['Content-Length', '3', 'content-length', '3']),
    /two Content-Length headers; leave both out: text\(…\), json\(…\) and the server add it/,
  ),
  row(
    LENGTH,
    'a negative length',
    headers({ 'Content-Length': '-3' }),
    /the Content-Length "-3"; leave it out and it is added/,
  ),
  row(LENGTH, 'a length that is not a number', headers({ 'Content-Length': '3 ' }), /the Content-Length "3 "/),
  row(
    LENGTH,
    'a length that is a number',
    headers({ 'Content-Length': 3 }),
    /a number as its value; write it as a text/,
  ),
  row(
    'RFC 9112 §6.1',
    'Transfer-Encoding',
    headers({ 'transfer-encoding': 'chunked' }),
    /Transfer-Encoding header; leave/,
  ),
  row(
    'RFC 9110 §7.6.1',
    'Connection: close',
    headers({ Connection: 'close' }),
    /a Connection header; leave connections/,
  ),
  row(
    'D10',
    'a custom X-Request-Id',
    headers({ 'X-Request-Id': 'mine' }),
    /an X-Request-Id header, which every reply has already/,
  ),
  row(
    'RFC 9110 §5.5',
    'a header with a line break',
    headers({ 'X-A': 'a\r\nSet-Cookie: b' }),
    /with a character that no header can carry/,
  ),
  row('RFC 9110 §5.5', 'a header with U+0000', headers({ 'X-A': 'a\0' }), /X-A with a character/),
  row('RFC 9110 §5.5', 'a header with letters outside Latin-1', headers({ 'X-A': '日本' }), /X-A with a character/),
  row('RFC 9110 §5.6.2', 'a header name with a space', headers({ 'X A': 'a' }), /the name "X A"/),
  row('RFC 9110 §5.6.2', 'a header without a name', headers(['', 'a']), /the name ""/),
  row(
    'plugins',
    'a header whose value is a list',
    headers({ 'Set-Cookie': ['a', 'b'] }),
    /with an object as its value/,
  ),
  row(
    'RFC 9110 §8.6',
    '204 with a length',
    () => ({ status: 204, headers: { 'Content-Length': '0' } }),
    /a 204 with a Content-Length; a 204 has no body: use empty\(\)/,
  ),
  row('RFC 9110 §15.3.5', '204 with a body', () => ({ status: 204, headers: {}, body: 'abc' }), /a 204 with a body/),
  row('plugins', 'a body that is a number', headers({}, { body: 5 }), /a number as a body; give a text, bytes or a/),
  row('plugins', 'a body that is an object', headers({}, { body: { a: 1 } }), /an object as a body/),
  row('plugins', 'a body that is null', headers({}, { body: null }), /null as a body/),
  row('plugins', 'a list of texts as a body', headers({}, { body: ['abc'] }), /a list as a body; give a text, bytes/),
  row(
    'plugins',
    'a stream that was read from',
    headers({}, { body: readFrom() }),
    /has ended, failed or was read from/,
  ),
  row('plugins', 'a stream that was destroyed', headers({}, { body: destroyed() }), /a stream that has ended/),
];

export const VALID: readonly ReplyCase[] = [
  row('plugins', 'a status alone', () => ({ status: 200, headers: {} })),
  row('RFC 9110 §15', 'status 599', () => ({ status: 599, headers: {} })),
  row(
    'RFC 9110 §8.6',
    'the length of a body that a reply to HEAD omits',
    headers({ 'Content-Length': '5' }, {}),
    undefined,
    'HEAD',
  ),
  row('RFC 9110 §15.4.5', '304 with the length of the 200', () => ({
    status: 304,
    headers: { 'Content-Length': '5', ETag: '"a"' },
  })),
  row('RFC 9110 §15.4.5', '304 with a body', () => ({ status: 304, headers: {}, body: 'abc' })),
  row('RFC 9110 §5.5', 'a header in Latin-1, with a tab', headers({ 'X-A': 'é\tb' })),
  row('RFC 9110 §5.5', 'an empty header', headers({ 'X-A': '' })),
  row('plugins', 'a stream that has its first chunk ready', headers({}, { body: Readable.from(['abc']) })),
];
