/**
 * What is answered before an operation is known, and where none is: targets, methods, hosts, versions, framing, limits.
 *
 * Each row is asked of the whole service as it stands; nothing may be stored by any of them.
 */
import { type Question, requestBytes } from '../support/ask.ts';
import type { Row } from '../support/table.ts';

export interface ValidationCase extends Row {
  readonly ask: Question | string | Uint8Array;
  readonly status: number;
  /** `instance` of the problem. */
  readonly instance?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const target = (clause: string, question: string, path: string, status: number, instance?: string): ValidationCase => ({
  clause,
  question,
  answer: String(status),
  ask: { target: path },
  status,
  ...(instance !== undefined && { instance }),
});
const raw = (
  clause: string,
  question: string,
  text: string,
  status: number,
  more: Partial<ValidationCase> = {},
): ValidationCase => ({ clause, question, answer: String(status), ask: text, status, ...more });
const lines = (...of: readonly string[]): string => `${of.join('\r\n')}\r\n\r\n`;
/** A GET of the list that ends its connection. */
const get = (...headers: readonly string[]): string => lines('GET /api/todo HTTP/1.1', ...headers, 'Connection: close');
const item = '{"name":"Never stored"}';
/** The item in one chunk. */
const CHUNKED = `17\r\n${item}\r\n0\r\n\r\n`;
const post = (headers: readonly string[], body = item): string =>
  lines('POST /api/todo HTTP/1.1', 'Host: test', 'Content-Type: application/json', ...headers) + body;

export const TARGETS: readonly ValidationCase[] = [
  target('D35', '/', '/', 404, '/'),
  target('7', 'a path that nothing answers', '/nowhere', 404, '/nowhere'),
  target('7', '/api', '/api', 404),
  target('4.3', '//api/todo, an empty segment', '//api/todo', 404),
  target('4.3', '/api//todo, an empty segment', '/api//todo', 404),
  target('4.3', '//', '//', 404),
  target('D21', '/api/todo, absolute form', 'http://test/api/todo', 200),
  target('D21', '/api/todo, absolute form with https, port and capitals', 'HTTPS://Test:8080/API/Todo?x', 200),
  target('D21', 'absolute form without a path', 'http://test', 404, '/'),
  target('D21', 'absolute form without a path, with a query', 'http://test?x=1', 404, '/'),
  target('D21', 'absolute form without a host', 'http://', 400),
  target('D21', 'absolute form with half an address', 'http://[', 400),
  target('D21', 'absolute form with a user', 'http://user@test/api/todo', 400),
  target('D21', 'absolute form of another scheme', 'ftp://test/api/todo', 400),
  target('D21', 'absolute form with a fragment behind a long host', `http://${'a'.repeat(8000)}/x#`, 400),
  target('D21', 'GET *', '*', 400),
  target('D21', 'a target without a slash', 'api/todo', 400),
  target('D21', '/api/todo/%', '/api/todo/%', 400, '/api/todo/%'),
  target('D21', '/api/todo/%zz', '/api/todo/%zz', 400),
  target('D21', '/api/todo/%4', '/api/todo/%4', 400),
  target('D21', 'invalid UTF-8', '/api/todo/%ff', 400),
  target('D21', 'an overlong slash', '/api/todo/%c0%af', 400),
  target('D21', 'a surrogate', '/api/todo/%ed%a0%80', 400),
  target('D21', 'half a character', '/api/todo/%e2%82', 400),
  target('D21', 'U+0000', '/api/todo/%00', 400),
  target('D21', 'U+0000 behind a good piece', '/api/todo%00', 400),
  target('D21', 'a malformed escape in the query', '/api/todo?%', 200),
  target('D21', 'U+0000 in the query', '/api/todo?%00', 200),
  target('D21', 'a plus is not a space', '/api/todo/a+b', 404, '/api/todo/a+b'),
  target('D21', '/api/todo with an encoded letter', '/%61pi/tod%6F', 200),
  target('D21', 'an encoded slash never splits', '/api%2Ftodo', 404),
  target('D21', '/x/../api/todo', '/x/../api/todo', 200),
  target('D21', '/./api/./todo', '/./api/./todo', 200),
  target('D21', '.. above the root', '/../../api/todo', 200),
  target('D21', '/x/%2e%2E/api/todo', '/x/%2e%2E/api/todo', 200),
  target('D21', '/x/.%2e/api/todo', '/x/.%2e/api/todo', 200),
  target('D21', '/api/todo/.', '/api/todo/.', 200),
  target('D21', '/api/todo/x/..', '/api/todo/x/..', 200),
  target('D21', '/api/todo/..', '/api/todo/..', 404),
  target('D21', 'three dots are a name', '/api/todo/...', 404),
  target('D21', 'an encoded slash between dots is no dot segment', '/api/todo/..%2f..', 404),
  target('D31', 'a segment of 2,048 characters', `/api/todo/${'x'.repeat(2048)}`, 404),
  target('D31', 'a segment of 2,049 characters', `/api/todo/${'x'.repeat(2049)}`, 414),
  target('D31', 'a segment of 2,048 characters, encoded', `/api/todo/${'%78'.repeat(2048)}`, 404),
  target('D31', 'a segment of 2,049 characters, encoded', `/api/todo/${'%78'.repeat(2049)}`, 414),
  target('limits', 'a path of 8 KiB', `${'/1234567'.repeat(1024)}`, 404),
  target('limits', 'a path of 8 KiB and one byte', `${'/1234567'.repeat(1024)}/`, 414),
  target('limits', 'a query of 9 KiB', `/api/todo?${'x'.repeat(9 * 1024)}`, 200),
  target('limits', 'a request line beyond 16 KiB', `/${'x'.repeat(17 * 1024)}`, 431),
];

const fallsThrough = (method: string, path: string): ValidationCase => ({
  clause: 'D9',
  question: `${method} ${path}`,
  answer: '404, falls through',
  ask: { method, target: path },
  status: 404,
  headers: { allow: null },
});
export const METHODS: readonly ValidationCase[] = [
  ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK', 'REPORT'].map((method) =>
    fallsThrough(method, '/api/todo'),
  ),
  ...['HEAD', 'OPTIONS', 'POST', 'TRACE'].map((method) => fallsThrough(method, '/api/todo/x')),
  ...['POST', 'PUT', 'DELETE', 'OPTIONS'].flatMap((method) =>
    ['/swagger/v1/swagger.json', '/swagger/ui', '/swagger/ui/'].map((path) => fallsThrough(method, path)),
  ),
  { clause: 'D9', question: 'OPTIONS *', answer: '404', ask: { method: 'OPTIONS', target: '*' }, status: 404 },
  {
    clause: 'wire errors',
    question: 'CONNECT',
    answer: '400',
    ask: { method: 'CONNECT', target: 'test:80' },
    status: 400,
  },
  raw('RFC 9110 §9.1', 'a method that nobody knows', lines('FOO /api/todo HTTP/1.1', 'Host: test'), 501, {
    instance: '/api/todo',
  }),
  raw('RFC 9110 §9.1', 'one that begins like a known one', lines('PATCHES /api/todo?x HTTP/1.1', 'Host: test'), 501, {
    instance: '/api/todo',
  }),
  raw('RFC 9110 §9.1', 'a method in lower case', lines('get /api/todo HTTP/1.1', 'Host: test'), 501, {
    instance: '/api/todo',
  }),
  raw('RFC 9110 §9.1', 'an unknown method, absolute form', lines('FOO http://test/a HTTP/1.1', 'Host: test'), 501, {
    instance: '/a',
  }),
  raw('RFC 9110 §9.1', 'an unknown method, of which no more has come in', 'FOO /api/to', 501),
  raw('wire errors', 'a word that is no request', lines('NONSENSE'), 400),
  raw('wire errors', 'an unknown method and no target', lines('FOO HTTP/1.1', 'Host: test'), 400),
  raw('wire errors', 'an unknown method of another protocol', lines('FOO /api/todo RTSP/1.0', 'Host: test'), 400),
  raw('wire errors', 'a method that is none', lines('B@D /api/todo HTTP/1.1', 'Host: test'), 400),
];

export const WIRE: readonly ValidationCase[] = [
  raw('one answer', 'no Host', get(), 400, { instance: '/api/todo' }),
  raw('one answer', 'two equal Hosts', get('Host: test', 'Host: test'), 400),
  raw('one answer', 'two different Hosts', get('Host: a', 'hOST: b'), 400),
  ...[
    '',
    '[',
    'a b',
    '<script>',
    'a/b',
    'user@a',
    'a,b',
    'a:port',
    'a:80:80',
    '[::1',
    '[:::::]',
    '[1.2.3.4]',
    '[1:2:3]:80',
    'a?b',
    'a#b',
    '%zz',
  ].map((host) => raw('one answer', `Host: ${JSON.stringify(host)}`, get(`Host: ${host}`), host === 'a,b' ? 200 : 400)),
  ...[
    'a',
    'a:80',
    'a:',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:8080',
    '[::ffff:1.2.3.4]',
    'xn--bcher-kva.example',
    'a_b',
    'a%20b',
  ].map((host) => raw('one answer', `Host: ${JSON.stringify(host)}`, get(`Host: ${host}`), 200)),
  raw(
    'RFC 9112 3.2.2',
    'an empty Host beside an absolute form',
    lines('GET http://a/api/todo HTTP/1.1', 'Host:', 'Connection: close'),
    200,
  ),
  raw('one answer', 'HTTP/1.0 without Host', lines('GET /api/todo HTTP/1.0'), 200),
  raw('one answer', 'HTTP/1.0 with a bad Host', lines('GET /api/todo HTTP/1.0', 'Host: ['), 400),
  raw('one answer', 'HTTP/2.0', lines('GET /api/todo HTTP/2.0', 'Host: test', 'Connection: close'), 505),
  raw('one answer', 'HTTP/0.9', lines('GET /api/todo HTTP/0.9', 'Host: test', 'Connection: close'), 505),
  raw('one answer', 'HTTP/1.2', lines('GET /api/todo HTTP/1.2', 'Host: test', 'Connection: close'), 505),
  raw('one answer', 'HTTP/3.0', lines('GET /api/todo HTTP/3.0', 'Host: test', 'Connection: close'), 505),
  raw('one answer', 'HTTP/9.9', lines('GET /api/todo HTTP/9.9', 'Host: test', 'Connection: close'), 505),
  raw('RFC 9112 2.2', 'lines that end in a bare line feed', 'GET /api/todo HTTP/1.1\nHost: test\n\n', 400, {
    instance: '/api/todo',
  }),
  raw('one answer', 'a version that is malformed', lines('GET /api/todo HTTP/11', 'Host: test'), 400),
  raw('one answer', 'a space behind the version', lines('GET /api/todo HTTP/1.1 ', 'Host: test'), 400),
  raw('one answer', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505),
  raw('one answer', 'another protocol', lines('GET /api/todo ICE/1.0', 'Host: test'), 400),
  raw(
    'D9',
    'SOURCE of another protocol, which the parser takes for HTTP/1.0',
    lines('SOURCE /api/todo ICE/1.0', 'Host: test'),
    404,
  ),
  raw('wire errors', 'a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400),
  raw('wire errors', 'a space before a colon', lines('GET /api/todo HTTP/1.1', 'Host : test'), 400, {
    instance: '/api/todo',
  }),
  raw('wire errors', 'a folded line', lines('GET /api/todo HTTP/1.1', 'Host: test', 'X-A: 1', ' 2'), 400),
  raw('wire errors', 'a NUL in a header', lines('GET /api/todo HTTP/1.1', 'Host: test', 'X-A: \0'), 400),
  raw('wire errors', 'a bare carriage return', lines('GET /api/todo HTTP/1.1', 'Host: test', 'X-A: 1\rX-B: 2'), 400),
  raw(
    'HTTP semantics',
    'Content-Length and Transfer-Encoding',
    post(['Content-Length: 23', 'Transfer-Encoding: chunked'], CHUNKED),
    400,
  ),
  raw(
    'HTTP semantics',
    'Transfer-Encoding and Content-Length',
    post(['Transfer-Encoding: chunked', 'Content-Length: 23'], CHUNKED),
    400,
  ),
  raw('HTTP semantics', 'two different Content-Lengths', post(['Content-Length: 23', 'Content-Length: 24']), 400),
  raw('HTTP semantics', 'two equal Content-Lengths', post(['Content-Length: 23', 'Content-Length: 23']), 400),
  raw('HTTP semantics', 'a list of Content-Lengths', post(['Content-Length: 23, 23']), 400),
  ...['-1', '+23', '0x17', '2 3', '23.0', '1e1', '99999999999999999999999'].map((length) =>
    raw('HTTP semantics', `Content-Length: ${length}`, post([`Content-Length: ${length}`]), 400),
  ),
  raw(
    'one answer',
    'Transfer-Encoding in HTTP/1.0',
    lines(
      'POST /api/todo HTTP/1.0',
      'Host: test',
      'Connection: keep-alive',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ) + CHUNKED,
    400,
    { headers: { connection: 'close' } },
  ),
  raw(
    'RFC 9112 6.1',
    'Transfer-Encoding: gzip, chunked',
    post(['Transfer-Encoding: gzip, chunked', 'Connection: close'], CHUNKED),
    501,
  ),
  raw(
    'RFC 9112 6.1',
    'Transfer-Encoding: gzip and chunked in two lines',
    post(['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked', 'Connection: close'], CHUNKED),
    501,
  ),
  raw('RFC 9112 6.1', 'Transfer-Encoding: gzip', post(['Transfer-Encoding: gzip']), 501),
  raw(
    'RFC 9112 6.1',
    'Transfer-Encoding: chunked, chunked',
    post(['Transfer-Encoding: chunked, chunked', 'Connection: close'], CHUNKED),
    400,
  ),
  raw(
    'HTTP semantics',
    'a chunk size that is none',
    post(['Transfer-Encoding: chunked'], `xyz\r\n${item}\r\n0\r\n\r\n`),
    400,
    { instance: '/api/todo' },
  ),
  raw(
    'HTTP semantics',
    'a chunk longer than its size',
    post(['Transfer-Encoding: chunked'], `10\r\n${item}\r\n0\r\n\r\n`),
    400,
  ),
  raw(
    'HTTP semantics',
    'a negative chunk size',
    post(['Transfer-Encoding: chunked'], `-17\r\n${item}\r\n0\r\n\r\n`),
    400,
  ),
  raw(
    'wire errors',
    'chunk extensions of 17 KiB',
    post(['Transfer-Encoding: chunked'], `17;${'x'.repeat(17 * 1024)}\r\n${item}\r\n0\r\n\r\n`),
    413,
  ),
  raw(
    'limits',
    '100 header lines',
    lines('GET /api/todo HTTP/1.1', 'Host: test', 'Connection: close', ...Array<string>(98).fill('A: b')),
    200,
  ),
  raw(
    'limits',
    '101 header lines',
    lines('GET /api/todo HTTP/1.1', 'Host: test', 'Connection: close', ...Array<string>(99).fill('A: b')),
    431,
  ),
  raw(
    'limits',
    '2,200 header lines',
    lines('GET /api/todo HTTP/1.1', 'Host: test', 'Connection: close', ...Array<string>(2198).fill('A: b')),
    431,
  ),
  raw(
    'limits',
    'a header line of 17 KiB',
    lines('GET /api/todo HTTP/1.1', 'Host: test', `X: ${'x'.repeat(17 * 1024)}`),
    431,
  ),
  raw('limits', 'a Content-Length beyond the limit', post(['Content-Length: 1048577', 'Connection: close']), 413, {
    headers: { connection: 'close' },
  }),
  raw('RFC 9110 10.1.1', 'an expectation that is unknown', get('Host: test', 'Expect: more'), 417),
  raw(
    'RFC 9110 7.8',
    'an upgrade',
    lines('GET /api/todo HTTP/1.1', 'Host: test', 'Connection: close, upgrade', 'Upgrade: websocket'),
    200,
  ),
  raw(
    'RFC 9112 2.2',
    'empty lines in front',
    `\r\n\r\n${requestBytes({ target: '/api/todo', headers: { Connection: 'close' } }).toString()}`,
    200,
  ),
];
