/**
 * The API on fastify and node-redis, as one would write it by hand: a hash of items, and a sorted set of their keys by
 * the time of their creation. Each change is one atomic step.
 */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { createClient, defineScript } from 'redis';
import { lines, PREFIX } from './items.mjs';
import { missing, options, removed, schemas, wrongKey } from './store-schemas.mjs';

const ITEMS = 'items';
const ORDER = 'order';

/** Replaces an item that is there: 1 if it was. */
const replaceItem = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
    return 1
  `,
  parseCommand(parser, hash, key, value) {
    parser.pushKey(hash);
    parser.push(key, value);
  },
  transformReply: (reply) => reply,
});

const client = createClient({ url: process.env.BENCH_REDIS, scripts: { replaceItem } });
client.on('error', (error) => console.error(error.message));
await client.connect();

/** The time in milliseconds, later than the last. */
let last = 0;
const now = () => (last = Math.max(performance.timeOrigin + performance.now(), last + 0.001));

const textOf = ({ key, name, isComplete }) => JSON.stringify({ key, name, isComplete });

async function create({ name, isComplete }) {
  const item = { key: randomUUID(), name, isComplete };
  await client.multi().hSet(ITEMS, item.key, textOf(item)).zAdd(ORDER, { score: now(), value: item.key }).exec();
  return item;
}

async function replace(request, reply) {
  const { id: key } = request.params;
  const done = await client.replaceItem(ITEMS, key, textOf({ ...request.body, key }));
  return done === 1 ? reply.code(204).headers(lines.empty).send() : missing(request, reply);
}

const app = fastify(options);
// The texts are sent as they are kept, without a schema.
app.get('/api/todo', async (request, reply) => {
  const keys = await client.zRange(ORDER, 0, -1);
  const found = keys.length === 0 ? [] : await client.hmGet(ITEMS, keys);
  // One that was removed in between is null.
  const texts = found.filter((text) => text !== null);
  return reply
    .headers(lines.list)
    .type('application/json')
    .send(`[${texts.join(',')}]`);
});
app.get('/api/todo/:id', async (request, reply) => {
  const text = await client.hGet(ITEMS, request.params.id);
  if (text === null) return missing(request, reply);
  return reply.headers(lines.item).type('application/json').send(text);
});
app.post('/api/todo', schemas.create, async (request, reply) => {
  const item = await create(request.body);
  reply
    .code(201)
    .headers(lines.item)
    .header('Location', PREFIX + item.key);
  return item;
});
app.put('/api/todo/:id', schemas.put, (request, reply) =>
  request.body.key === request.params.id ? replace(request, reply) : wrongKey(reply),
);
app.patch('/api/todo/:id', schemas.patch, replace);
app.delete('/api/todo/:id', async (request, reply) => {
  const { id: key } = request.params;
  const [count] = await client.multi().hDel(ITEMS, key).zRem(ORDER, key).exec();
  return count === 1 ? reply.code(204).headers(removed).send() : missing(request, reply);
});

if ((await client.zCard(ORDER)) === 0) await create({ name: 'Item1', isComplete: false });
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
