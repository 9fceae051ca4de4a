/**
 * The tuned floor: the server of `server.mjs` as fast as one can write it with the public API of `node:http`.
 *
 * Header lines are flat arrays of ready texts, JSON of an item is put together by hand, a list is written without an
 * array between, and a body is read at its last byte. Nothing else is known before the request comes: no answer is
 * kept.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const PREFIX = '/api/todo/';
const SAFE = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'", 'X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer', 'Cross-Origin-Resource-Policy', 'same-origin'],
  ...['X-Request-Id', 'a1b2c3d4e5f6-1abcd'],
];
const VERSION = ['ETag', '"a1b2c3d4-1"'];
const ITEM = [...SAFE, ...VERSION, 'Cache-Control', 'no-cache', 'Content-Type', 'application/json', 'Content-Length'];
const LIST = ['Vary', 'Accept', ...ITEM];
const EMPTY = [...SAFE, ...VERSION];
const PROBLEM = [
  ...[...SAFE, 'Cache-Control', 'no-store', 'Content-Type', 'application/problem+json'],
  'Content-Length',
];
/** Nothing in it is escaped in JSON. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const items = new Map();
const textOf = ({ key, name, isComplete }) =>
  `{"key":"${key}","name":${PLAIN.test(name) ? `"${name}"` : JSON.stringify(name)},"isComplete":${isComplete}}`;
const kept = (key, { name, isComplete }) => {
  const item = { key, name, isComplete: isComplete === true };
  items.set(key, item);
  return item;
};
kept(randomUUID(), { name: 'Item1' });

function send(response, status, lines, body) {
  response.writeHead(status, lines.concat(String(Buffer.byteLength(body))));
  response.end(body);
}

function all() {
  let text = '';
  for (const item of items.values()) text += (text === '' ? '[' : ',') + textOf(item);
  return text === '' ? '[]' : `${text}]`;
}

function refused(response, status, detail, instance) {
  const rest = `"detail":${JSON.stringify(detail)},"instance":${JSON.stringify(instance)}`;
  const body = `{"type":"about:blank","title":"Not Found","status":${status},${rest},"requestId":"a1b2c3d4e5f6-1abcd"}`;
  send(response, status, PROBLEM, body);
}

function withBody(request, response, then) {
  const missing = Number(request.headers['content-length']);
  let read = 0;
  let first;
  let chunks;
  request.on('data', (chunk) => {
    read += chunk.length;
    if (first === undefined) first = chunk;
    else (chunks ??= [first]).push(chunk);
    if (read < missing) return;
    let value;
    try {
      value = JSON.parse((chunks === undefined ? first : Buffer.concat(chunks)).toString());
    } catch {
      return refused(response, 400, 'not JSON', request.url);
    }
    then(value);
  });
}

const server = createServer((request, response) => {
  const { method, url } = request;
  if (url === '/api/todo') {
    if (method === 'GET') return send(response, 200, LIST, all());
    if (method === 'POST')
      return withBody(request, response, (body) => {
        const item = kept(randomUUID(), body);
        const text = textOf(item);
        response.writeHead(201, ITEM.concat(String(Buffer.byteLength(text)), 'Location', PREFIX + item.key));
        response.end(text);
      });
  } else if (url.startsWith(PREFIX)) {
    const key = url.slice(PREFIX.length);
    const item = items.get(key);
    if (item === undefined) return refused(response, 404, `No item has the key "${key}"`, url);
    if (method === 'GET') return send(response, 200, ITEM, textOf(item));
    if (method === 'PUT' || method === 'PATCH')
      return withBody(request, response, (body) => {
        if (method === 'PUT' && body.key !== key) return refused(response, 400, 'wrong key', url);
        kept(key, body);
        response.writeHead(204, EMPTY);
        response.end();
      });
    if (method === 'DELETE') {
      items.delete(key);
      response.writeHead(204, EMPTY);
      return response.end();
    }
  }
  return refused(response, 404, `Nothing answers ${method} ${url}`, url);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
