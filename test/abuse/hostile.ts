/** What attackers of other servers have sent: header lines, targets, pieces of either, bodies. */
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const HOSTILE_LINES: readonly string[] = [
  'Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\tchunked', 'Transfer-Encoding: "chunked"', 'Transfer_Encoding: chunked', 'Content-Length: 5', 'Content-Length: 0',
  'Content-Length: 6\r\nContent-Length: 5',
  'Content-Length : 5', 'Host: other', 'Host: a b', 'Host: [::1', 'Host: <script>', 'Host:', 'Host: a:99999999', 'Expect: 100-continue',
  'Expect: 200-ok', 'Expect:',
  'Connection: close', 'Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c', 'Connection: host',
  'Upgrade: h2c', 'Content-Encoding: gzip', 'Content-Encoding: br, gzip', 'Content-Encoding: zstd', 'Content-Encoding: identity',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: application/json; charset=utf-16', 'Content-Type: application/json;;;', 'Accept: ,,,;q=',
  `Accept: ${'a/b,'.repeat(300)}`, 'If-Match: ","', 'If-None-Match: "',
  `If-None-Match: ${'"x",'.repeat(400)}`, 'Range: bytes=0-0,1-1,2-2', 'Range: bytes=999999999999999999-', 'Range: bytes=5-1',
  'Range: chars=0-1', 'X-Request-Id: <b>',
  `X-Request-Id: ${'a'.repeat(200)}`, 'X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: evil', 'X-Forwarded-Prefix: //evil',
  'X-HTTP-Method-Override: DELETE', 'TE: trailers',
  'Trailer: Content-Length', 'Accept-Encoding: *;q=0', 'If-Modified-Since: x', 'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
  ' folded', '\tfolded', 'NoColon', ': empty',
  'X-Nul: a\0b', 'X-Cr: a\rb', 'X-High: \xff\xfe', '__proto__: x', 'constructor: y', 'Cookie: a=b; a=b', 'Proxy: http://evil',
  'Keep-Alive: timeout=0', 'Max-Forwards: 0',
];

export const HOSTILE_TARGETS: readonly string[] = [
  '*', '//', '///', '/..', '/../..', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc%2fpasswd', '/..%5c..%5cetc', '/..;/etc',
  '/%c0%ae%c0%ae/etc', '/%252e%252e%252f', '/%00', '/a%00.txt',
  '/%', '/%zz', '/%f', '/%ff', '/%ed%a0%80', '/\\', '/a\\b', '//etc/passwd', '/./././', '/api/todo/__proto__', '/api/todo/constructor',
  '/api/todo/hasOwnProperty', '/api/todo//',
  '/api/todo/%2F', '/api//todo', '/API/TODO', '/api/todo/.', '/api/todo/..', '/api/todo/%20', '/api/todo?', '/api/todo?%',
  '/api/todo?a[]=1&__proto__[x]=1', '/api/todo#x', '/api/todo;x=1',
  'http://', 'http://[', 'http://a', 'http://a/api/todo', 'HTTP://A:80/api/todo', 'https://a@b/api/todo', 'http:///x', 'ftp://a/',
  'file:///etc/passwd', 'a:80', '?x', '', 'api/todo',
  '/link-out', '/link-folder/secret.txt', '/pipe', '/.hidden', '/folder', '/folder/../notes.txt', '/notes.txt/', '/notes.txt%20',
  '/notes.txt::$DATA', '/NOTES.TXT', '/con', '/large.bin',
  '/swagger/ui/../../package.json', '/swagger/ui/%2e%2e/%2e%2e/package.json', '/swagger/ui/..%2f..%2fpackage.json', '/swagger//ui',
  `/${'a/'.repeat(200)}`, `/${'%61'.repeat(150)}`, '/\x7f', '/\xe9', '/"<>',
];

export const HOSTILE_PIECES: readonly string[] = [
  '\r\n', '\n', '\r', '\0', '\t', ' ', '\r\n\r\n', '%', '%00', '%2e', '%2f', '%5c', '%zz', '%c3%28', '..', '/', '//', '\\', ';', '?', '#',
  '\x80', '\xff', '0\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'Transfer-Encoding: chunked\r\n', 'ffffffff\r\n', 'fffffffffffffffff\r\n', '-1\r\n', '{', '"', '\\u0000', '\ufeff',
];

export const HOSTILE_BODIES: readonly (string | Buffer)[] = [
  '', 'null', '[]', '{}', '0', '"x"', 'true', '{', '}', '{"name":}', '{"name":5}', '{"name":null,"isComplete":null}', '{"key":5}',
  '{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":1}}',
  '{"toString":1,"hasOwnProperty":2}', '{"name":"a","NAME":"b","Name":5}', '{"name":"\\ud800"}', '{"name":"\\u0000"}',
  '{"name":"x","name":"y"}', `{"name":"${'x'.repeat(4000)}"}`, `{"name":"${'x'.repeat(5000)}"}`,
  '['.repeat(4000), '{"a":'.repeat(800), `${'['.repeat(2000)}${']'.repeat(2000)}`, '\ufeff{"name":"mark"}', '{"name":"x"} x',
  "{'name':1}", 'NaN', '1e999', '{"isComplete":"true"}', '-', '{"name":"\x01"}',
  Buffer.from([0xff, 0xfe, 0x7b, 0]), Buffer.from('{"name":"\xc3\x28"}', 'latin1'), Buffer.from([0]), gzipSync(Buffer.alloc(500_000)),
  brotliCompressSync(Buffer.alloc(500_000)), gzipSync('{"name":"packed"}').subarray(0, 20),
];
