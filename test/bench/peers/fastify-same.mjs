/**
 * The measured operations on fastify with the work of the service: its header lines, an id for each request, a tag for
 * each item and for the list, `If-None-Match` on reads, bodies that a schema checks, replies that a schema writes.
 */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { change, create, items, PREFIX } from './items.mjs';

const item = {
  type: 'object',
  properties: { key: { type: 'string' }, name: { type: ['string', 'null'] }, isComplete: { type: 'boolean' } },
};
const body = {
  type: 'object',
  properties: {
    key: { type: 'string', nullable: true },
    name: { type: 'string', nullable: true },
    isComplete: { type: 'boolean', default: false },
  },
};
const answers = (status, schema) => ({ response: { [status]: schema } });

const run = randomUUID().slice(0, 6);
let requests = 0;
let changes = 0;
const tags = new Map();

/** Gives an item a new tag, and so the list. */
function tagged(key) {
  changes++;
  const tag = `"${run}-${changes.toString(36)}"`;
  tags.set(key, tag);
  return tag;
}
for (const key of items.keys()) tagged(key);

const app = fastify({
  genReqId: () => `${run}-${(requests++).toString(36)}`,
  requestIdHeader: 'x-request-id',
  ajv: { customOptions: { coerceTypes: false, allErrors: true } },
});
app.addHook('onRequest', (request, reply, done) => {
  reply
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('x-request-id', request.id);
  done();
});

// Fastify makes more calls for a handler that returns `reply` than for a handler that only sends it.
app.get('/api/todo', { schema: answers(200, { type: 'array', items: item }) }, (request, reply) => {
  const tag = `"${run}-${changes.toString(36)}:1"`;
  reply.header('etag', tag);
  if (request.headers['if-none-match'] === tag) reply.code(304).send();
  else {
    reply
      .header('cache-control', 'no-cache')
      .header('vary', 'Accept')
      .send([...items.values()]);
  }
});
app.get('/api/todo/:id', { schema: answers(200, item) }, (request, reply) => {
  const found = items.get(request.params.id);
  const tag = tags.get(request.params.id);
  if (found === undefined) reply.code(404).send();
  else if (request.headers['if-none-match'] === tag) reply.code(304).header('etag', tag).send();
  else reply.header('etag', tag).header('cache-control', 'no-cache').send(found);
});
app.post('/api/todo', { schema: { body, ...answers(201, item) } }, (request, reply) => {
  const made = create(request.body);
  reply
    .code(201)
    .header('location', PREFIX + made.key)
    .header('etag', tagged(made.key))
    .header('cache-control', 'no-cache')
    .send(made);
});
app.put('/api/todo/:id', { schema: { body } }, (request, reply) => {
  const { id } = request.params;
  if (request.body.key !== id) reply.code(400).send();
  else if (!change(id, request.body)) reply.code(404).send();
  else reply.code(204).header('etag', tagged(id)).send();
});
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
