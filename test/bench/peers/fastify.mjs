/**
 * The measured operations on fastify, bare: constant header lines, no check of bodies; and response schemas, as its
 * documentation advises for speed. Fastify makes more calls for a handler that returns `reply` than for a handler that
 * only sends it.
 */
import fastify from 'fastify';
import { change, create, isBody, items, lines, PREFIX } from './items.mjs';

const item = {
  type: 'object',
  properties: { key: { type: 'string' }, name: { type: 'string' }, isComplete: { type: 'boolean' } },
};
const answers = (status, schema) => ({ schema: { response: { [status]: schema } } });
const app = fastify();

app.get('/api/todo', answers(200, { type: 'array', items: item }), (request, reply) => {
  reply.headers(lines.list).send([...items.values()]);
});
app.get('/api/todo/:id', answers(200, item), (request, reply) => {
  const found = items.get(request.params.id);
  if (found === undefined) reply.code(404).headers(lines.empty).send();
  else reply.headers(lines.item).send(found);
});
app.post('/api/todo', answers(201, item), (request, reply) => {
  if (!isBody(request.body)) reply.code(400).send();
  else {
    const made = create(request.body);
    reply
      .code(201)
      .headers(lines.item)
      .header('location', PREFIX + made.key)
      .send(made);
  }
});
app.put('/api/todo/:id', (request, reply) => {
  if (!isBody(request.body)) reply.code(400).send();
  else {
    reply
      .code(change(request.params.id, request.body) ? 204 : 404)
      .headers(lines.empty)
      .send();
  }
});
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
