/**
 * Requests that are answered before an operation is known, or without one: targets, methods, hosts, versions, framing,
 * limits.
 *
 * Each row is sent to the whole service. No row may store an item.
 */
import { type Question, requestBytes } from '../support/ask.ts';
import type { Row } from '../support/table.ts';

export interface ValidationCase extends Row {
  readonly ask: Question | string | Uint8Array;
  readonly status: number;
  /** `instance` of the problem; null if it has none, because the parser refuses the request. */
  readonly instance?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
}

type More = Pick<ValidationCase, 'instance' | 'headers'>;
/** A row: the request is followed by its status. */
type CaseRow = readonly [question: string, ask: ValidationCase['ask'], status: number, more?: More | undefined];

const cases = (clause: string, rows: readonly CaseRow[]): readonly ValidationCase[] =>
  rows.map(([question, ask, status, more]) => ({ clause, question, answer: String(status), ask, status, ...more }));
/** Rows that the parser refuses. */
const refused = (clause: string, rows: readonly CaseRow[]): readonly ValidationCase[] =>
  cases(clause, rows).map((row) => ({ ...row, instance: null }));
/** The row is named after its target, unless it has a name. */
const targets = (
  clause: string,
  rows: readonly (readonly [path: string, status: number, question?: string, more?: More])[],
) =>
  cases(
    clause,
    rows.map(([path, status, question = path, more]): CaseRow => [question, { target: path }, status, more]),
  );

const lines = (...of: readonly string[]): string => `${of.join('\r\n')}\r\n\r\n`;
/** A GET of the list that closes its connection. */
const get = (...headers: readonly string[]): string => lines('GET /api/todo HTTP/1.1', ...headers, 'Connection: close');
/** A request line and a known host. */
const requestLine = (line: string, ...headers: readonly string[]): string => lines(line, 'Host: test', ...headers);
const item = '{"name":"Never stored"}';
/** The item in one chunk. */
const CHUNKED = `17\r\n${item}\r\n0\r\n\r\n`;
const post = (headers: readonly string[], body = item): string =>
  lines('POST /api/todo HTTP/1.1', 'Host: test', 'Content-Type: application/json', ...headers) + body;
const coded = (...codings: readonly string[]): string =>
  post([...codings.map((coding) => `Transfer-Encoding: ${coding}`), 'Connection: close'], CHUNKED);
const chunks = (size: string): string => post(['Transfer-Encoding: chunked'], `${size}\r\n${item}\r\n0\r\n\r\n`);
const withLines = (count: number): string =>
  requestLine('GET /api/todo HTTP/1.1', 'Connection: close', ...Array<string>(count - 2).fill('A: b'));
const AT_LIST = { instance: '/api/todo' };
const NO_INSTANCE = { instance: null };

export const TARGETS: readonly ValidationCase[] = [
  ...targets('D35, 4.3, 7', [
    ['/', 404, 'the root', { instance: '/' }],
    ['/nowhere', 404, 'an unknown path', { instance: '/nowhere' }],
    ['/api', 404],
    ['//api/todo', 404],
    ['/api//todo', 404],
    ['//', 404],
  ]),
  ...targets('D21, absolute form', [
    ['http://test/api/todo', 200],
    ['HTTPS://Test:8080/API/Todo?x', 200],
    ['http://test', 404, 'without a path', { instance: '/' }],
    ['http://test?x=1', 404, 'without a path, with a query', { instance: '/' }],
    ['http://', 400],
    ['http://[', 400],
    ['http://user@test/api/todo', 400],
    ['ftp://test/api/todo', 400],
    [`http://${'a'.repeat(8000)}/x#`, 400, 'with a fragment after a long host'],
  ]),
  ...targets('D21', [
    ['*', 400],
    ['api/todo', 400, 'a path without a slash', NO_INSTANCE],
    ['/api/todo/%', 400, 'half an escape', { instance: '/api/todo/%' }],
    ['/api/todo/%zz', 400],
    ['/api/todo/%4', 400],
    ['/api/todo/%ff', 400, 'invalid UTF-8'],
    ['/api/todo/%c0%af', 400, 'an overlong slash'],
    ['/api/todo/%ed%a0%80', 400, 'a surrogate'],
    ['/api/todo/%e2%82', 400, 'half a character'],
    ['/api/todo/%00', 400, 'U+0000'],
    ['/api/todo%00', 400, 'U+0000 after a valid segment'],
    ['/api/todo?%', 200, 'a malformed escape in the query'],
    ['/api/todo?%00', 200, 'U+0000 in the query'],
    ['/api/todo/a+b', 404, 'a plus is not a space', { instance: '/api/todo/a+b' }],
    ['/%61pi/tod%6F', 200, 'encoded letters'],
    ['/api%2Ftodo', 404, 'an encoded slash never splits'],
    ['/x/../api/todo', 200],
    ['/./api/./todo', 200],
    ['/../../api/todo', 200],
    ['/x/%2e%2E/api/todo', 200],
    ['/x/.%2e/api/todo', 200],
    ['/api/todo/.', 200],
    ['/api/todo/x/..', 200],
    ['/api/todo/..', 404],
    ['/api/todo/...', 404, 'three dots are a name'],
    ['/api/todo/..%2f..', 404, 'an encoded slash between dots is not a dot segment'],
  ]),
  ...targets('D31, limits', [
    [`/api/todo/${'x'.repeat(2048)}`, 404, 'a segment of 2,048 characters'],
    [`/api/todo/${'x'.repeat(2049)}`, 414, 'a segment of 2,049 characters'],
    [`/api/todo/${'%78'.repeat(2048)}`, 404, 'a segment of 2,048 characters, encoded'],
    [`/api/todo/${'%78'.repeat(2049)}`, 414, 'a segment of 2,049 characters, encoded'],
    [`${'/1234567'.repeat(1024)}`, 404, 'a path of 8 KiB'],
    [`${'/1234567'.repeat(1024)}/`, 414, 'a path of 8 KiB and one byte'],
    [`/api/todo?${'x'.repeat(9 * 1024)}`, 200, 'a query of 9 KiB'],
    [`/${'x'.repeat(17 * 1024)}`, 431, 'a request line of more than 16 KiB', NO_INSTANCE],
  ]),
];

const fallsThrough = (methods: string, ...paths: readonly string[]): readonly ValidationCase[] =>
  cases(
    'D9, falls through',
    methods
      .split(' ')
      .flatMap((method) =>
        paths.map(
          (path): CaseRow => [`${method} ${path}`, { method, target: path }, 404, { headers: { allow: null } }],
        ),
      ),
  );
export const METHODS: readonly ValidationCase[] = [
  ...fallsThrough('HEAD OPTIONS PUT PATCH DELETE TRACE PROPFIND LOCK REPORT', '/api/todo'),
  ...fallsThrough('HEAD OPTIONS POST TRACE', '/api/todo/x'),
  ...fallsThrough('POST PUT DELETE OPTIONS', '/swagger/v1/swagger.json', '/swagger/ui', '/swagger/ui/'),
  ...cases('D9', [['OPTIONS *', { method: 'OPTIONS', target: '*' }, 404]]),
  ...refused('D9, D53', [
    ['CONNECT', { method: 'CONNECT', target: 'test:80' }, 400],
    ['a word that is not a request', lines('NONSENSE'), 501],
    ['an unknown method', requestLine('FOO /api/todo HTTP/1.1'), 501],
    ['an unknown method that begins like a known method', requestLine('PATCHES /api/todo?x HTTP/1.1'), 501],
    ['a method in lower case', requestLine('get /api/todo HTTP/1.1'), 501],
    ['an unknown method in an incomplete request', 'FOO /api/to', 501],
  ]),
];

const HOSTS: readonly (readonly [status: number, hosts: readonly string[]])[] = [
  [
    400,
    [
      ...['', '[', 'a b', '<script>', 'a/b', 'user@a', 'a:port', 'a:80:80', '[::1', '[:::::]', '[1.2.3.4]'],
      ...['[1:2:3]:80', 'a?b', 'a#b', '%zz'],
    ],
  ],
  [
    200,
    [
      ...['a,b', 'a', 'a:80', 'a:', '127.0.0.1:8080', '[::1]', '[::1]:8080', '[::ffff:1.2.3.4]'],
      ...['xn--bcher-kva.example', 'a_b', 'a%20b'],
    ],
  ],
];
const ofVersion = (version: string): CaseRow => [
  `HTTP/${version}`,
  requestLine(`GET /api/todo HTTP/${version}`, 'Connection: close'),
  505,
];
const LENGTHS = ['-1', '+23', '0x17', '2 3', '23.0', '1e1', '99999999999999999999999', '23, 23'];

export const WIRE: readonly ValidationCase[] = [
  ...cases('one answer', [
    ['no Host', get(), 400, AT_LIST],
    ['two equal Hosts', get('Host: test', 'Host: test'), 400],
    ['two different Hosts', get('Host: a', 'hOST: b'), 400],
    ...HOSTS.flatMap(([status, hosts]) =>
      hosts.map((host): CaseRow => [`Host: ${JSON.stringify(host)}`, get(`Host: ${host}`), status]),
    ),
    ['an empty Host with an absolute form', lines('GET http://a/api/todo HTTP/1.1', 'Host:', 'Connection: close'), 200],
    ['HTTP/1.0 without Host', lines('GET /api/todo HTTP/1.0'), 200],
    ['HTTP/1.0 with a bad Host', lines('GET /api/todo HTTP/1.0', 'Host: ['), 400],
    ...['2.0', '0.9'].map(ofVersion),
    ['SOURCE of another protocol, which the parser treats as HTTP/1.0', requestLine('SOURCE /api/todo ICE/1.0'), 404],
  ]),
  ...refused('wire errors', [
    ...['1.2', '3.0', '9.9'].map(ofVersion),
    ['lines that end in a bare line feed', 'GET /api/todo HTTP/1.1\nHost: test\n\n', 400],
    ['a malformed version', requestLine('GET /api/todo HTTP/11'), 400],
    ['a space after the version', requestLine('GET /api/todo HTTP/1.1 '), 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['another protocol', requestLine('GET /api/todo ICE/1.0'), 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 501],
    ['a space before a colon', lines('GET /api/todo HTTP/1.1', 'Host : test'), 400],
    ['a folded line', requestLine('GET /api/todo HTTP/1.1', 'X-A: 1', ' 2'), 400],
    ['a NUL in a header', requestLine('GET /api/todo HTTP/1.1', 'X-A: \0'), 400],
    ['a bare carriage return', requestLine('GET /api/todo HTTP/1.1', 'X-A: 1\rX-B: 2'), 400],
    ['a header line of 17 KiB', requestLine('GET /api/todo HTTP/1.1', `X: ${'x'.repeat(17 * 1024)}`), 431],
  ]),
  ...refused('HTTP semantics', [
    ['a length, then a coding', post(['Content-Length: 23', 'Transfer-Encoding: chunked'], CHUNKED), 400],
    ['a coding, then a length', post(['Transfer-Encoding: chunked', 'Content-Length: 23'], CHUNKED), 400],
    ['two different Content-Lengths', post(['Content-Length: 23', 'Content-Length: 24']), 400],
    ['two equal Content-Lengths', post(['Content-Length: 23', 'Content-Length: 23']), 400],
    ...LENGTHS.map((length): CaseRow => [`Content-Length: ${length}`, post([`Content-Length: ${length}`]), 400]),
    ['two chunked codings', coded('chunked, chunked'), 400],
  ]),
  ...cases('HTTP semantics', [
    ['an invalid chunk size', chunks('xyz'), 400, AT_LIST],
    ['a chunk longer than its size', chunks('10'), 400],
    ['a negative chunk size', chunks('-17'), 400],
    ['chunk extensions of 17 KiB', chunks(`17;${'x'.repeat(17 * 1024)}`), 413, AT_LIST],
  ]),
  ...cases('RFC 9112 6.1', [
    [
      'Transfer-Encoding in HTTP/1.0',
      requestLine(
        'POST /api/todo HTTP/1.0',
        'Connection: keep-alive',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ) + CHUNKED,
      400,
      { headers: { connection: 'close' } },
    ],
    ['Transfer-Encoding: gzip, chunked', coded('gzip, chunked'), 501],
    ['Transfer-Encoding: gzip and chunked in two lines', coded('gzip', 'chunked'), 501],
    ['Transfer-Encoding: gzip', post(['Transfer-Encoding: gzip']), 501],
  ]),
  ...cases('limits', [
    ['100 header lines', withLines(100), 200],
    ['101 header lines', withLines(101), 431],
    ['2,200 header lines', withLines(2200), 431],
    [
      'a Content-Length above the limit',
      post(['Content-Length: 1048577', 'Connection: close']),
      413,
      { headers: { connection: 'close' } },
    ],
  ]),
  ...cases('RFC 9110 7.8, 10.1.1, RFC 9112 2.2', [
    ['an unknown expectation', get('Host: test', 'Expect: more'), 417],
    ['an upgrade', requestLine('GET /api/todo HTTP/1.1', 'Connection: close, upgrade', 'Upgrade: websocket'), 200],
    [
      'leading empty lines',
      `\r\n\r\n${requestBytes({ target: '/api/todo', headers: { Connection: 'close' } }).toString()}`,
      200,
    ],
  ]),
];
