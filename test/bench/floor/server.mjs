/**
 * The floor: the measured operations as one would write them by hand on `node:http`, with nothing in them – string
 * comparison for routing, `JSON.stringify`, no check, no limit, no stage.
 *
 * It sends the header lines that the service sends, as literals: what is judged is the code, not the bytes of a safe
 * answer. `same-header-lines.mjs` compares them before anything is measured.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const PREFIX = '/api/todo/';
const items = new Map();
const first = { key: randomUUID(), name: 'Item1', isComplete: false };
items.set(first.key, first);

const COMMON = {
  ETag: '"a1b2c3d4-1"',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Request-Id': 'a1b2c3d4e5f6-1abcd',
};

function json(response, status, value, list) {
  const body = JSON.stringify(value);
  const head = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache',
    ...COMMON,
  };
  if (list) head.Vary = 'Accept';
  if (status === 201) head.Location = PREFIX + value.key;
  response.writeHead(status, head);
  response.end(body);
}

function changed(response) {
  response.writeHead(204, COMMON);
  response.end();
}

function refused(response, status) {
  response.writeHead(status);
  response.end();
}

function withBody(request, response, then) {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      let value;
      try {
        value = JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString('utf8'));
      } catch {
        return refused(response, 400);
      }
      return then(value);
    });
}

const server = createServer((request, response) => {
  const { method, url } = request;
  if (url === '/api/todo') {
    if (method === 'GET') return json(response, 200, [...items.values()], true);
    if (method === 'POST') {
      return withBody(request, response, (body) => {
        const item = { key: randomUUID(), name: body.name, isComplete: !!body.isComplete };
        items.set(item.key, item);
        json(response, 201, item);
      });
    }
  } else if (url.startsWith(PREFIX)) {
    const key = url.slice(PREFIX.length);
    const found = items.get(key);
    if (found !== undefined && method === 'GET') return json(response, 200, found);
    if (found !== undefined && method === 'PUT') {
      return withBody(request, response, (body) => {
        items.set(key, { key, name: body.name, isComplete: !!body.isComplete });
        changed(response);
      });
    }
  }
  return refused(response, 404);
});
// As long as the service keeps an idle connection, and as its `Keep-Alive` says.
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
