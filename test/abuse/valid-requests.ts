/** Requests that are as they should be: what the fuzzer begins with. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from './random.ts';

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const FILES = [
  '/',
  '/index.html',
  '/notes.txt',
  '/large.bin',
  '/folder/',
  '/SITE.css',
  '/link-out',
  '/pipe',
  '/.hidden',
  '/swagger/ui',
  '/swagger/ui/',
  '/swagger/ui/index.html',
  '/swagger/ui/custom.css',
  '/swagger/ui/swagger-ui.css',
  '/swagger/v1/swagger.json',
  '/health',
  '/ready',
  '/metrics',
  '/nothing',
];
const CONDITIONS = [
  'If-Match: *',
  'If-Match: "1"',
  'If-None-Match: *',
  'If-None-Match: "1", W/"2"',
  'If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT',
  'Range: bytes=0-9',
  'Range: bytes=-5',
  'Range: bytes=5-',
  'If-Range: "x"',
  'Accept-Encoding: gzip, br',
  'Accept: text/plain',
  'Accept: text/json;q=0.5, */*;q=0.1',
  'Origin: http://a.example',
];
const TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/json',
  'application/merge-patch+json',
  'text/plain',
];

/** The bytes of one request. `key` names an item, `id` goes out as X-Request-Id. */
export function validRequest(chance: Random, key: string, id: string): Buffer {
  const kind = chance.below(10);
  const lines = [`X-Request-Id: ${id}`];
  if (chance.chance(0.3)) lines.push(chance.pick(CONDITIONS));
  if (kind < 3) return request(chance, chance.pick(['GET', 'GET', 'HEAD']), chance.pick(FILES), lines);
  if (kind === 3) return request(chance, 'GET', '/api/todo', lines);
  if (kind === 4) return request(chance, 'GET', `/api/todo/${key}`, lines);
  if (kind === 5) return request(chance, 'DELETE', `/api/todo/${key}`, lines);
  const item = JSON.stringify({
    name: `fuzz ${chance.below(1000)} ✓`,
    isComplete: chance.chance(0.5),
    ...(kind === 6 && { key }),
  });
  if (kind === 6) return withBody(chance, 'PUT', `/api/todo/${key}`, lines, item);
  if (kind === 7) return withBody(chance, 'PATCH', `/api/todo/${key}`, lines, item);
  return withBody(chance, 'POST', '/api/todo', lines, item);
}

function request(
  chance: Random,
  method: string,
  path: string,
  lines: readonly string[],
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const target = chance.chance(0.05) ? `http://localhost${path}` : chance.chance(0.1) ? `${path}?a=b&c=%20` : path;
  const version = chance.chance(0.05) ? 'HTTP/1.0' : 'HTTP/1.1';
  return Buffer.concat([
    Buffer.from([`${method} ${target} ${version}`, 'Host: localhost', ...lines, '', ''].join('\r\n')),
    body,
  ]);
}

function withBody(chance: Random, method: string, path: string, lines: string[], text: string): Buffer {
  let body = Buffer.from(text);
  lines.push(`Content-Type: ${chance.pick(TYPES)}`);
  if (chance.chance(0.15)) {
    const coding = chance.pick(['gzip', 'deflate', 'br'] as const);
    lines.push(`Content-Encoding: ${coding}`);
    body = CODINGS[coding](body);
  }
  if (chance.chance(0.1)) lines.push('Expect: 100-continue');
  if (chance.chance(0.7)) return request(chance, method, path, [...lines, `Content-Length: ${body.length}`], body);
  return request(chance, method, path, [...lines, 'Transfer-Encoding: chunked'], chunked(chance, body));
}

function chunked(chance: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + chance.below(40));
    parts.push(
      Buffer.from(`${piece.length.toString(16)}${chance.chance(0.1) ? ';a=b' : ''}\r\n`),
      piece,
      Buffer.from('\r\n'),
    );
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from(chance.chance(0.1) ? '0\r\nTrailer: x\r\n\r\n' : '0\r\n\r\n')]);
}
