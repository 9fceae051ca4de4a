/** The API on fastify and better-sqlite3, as one would write it by hand: one statement for each operation. */
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import fastify from 'fastify';
import { lines, PREFIX } from './items.mjs';
import { missing, options, removed, schemas, wrongKey } from './store-schemas.mjs';

const database = new Database(process.env.BENCH_FILE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = full');
database.exec(`
  CREATE TABLE IF NOT EXISTS items (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    name TEXT,
    isComplete INTEGER NOT NULL
  ) STRICT
`);
// The writers of the answers turn 0 and 1 into false and true.
const every = database.prepare('SELECT key, name, isComplete FROM items ORDER BY position');
const one = database.prepare('SELECT key, name, isComplete FROM items WHERE key = ?');
const insert = database.prepare('INSERT INTO items (key, name, isComplete) VALUES (?, ?, ?)');
const update = database.prepare('UPDATE items SET name = ?, isComplete = ? WHERE key = ?');
const remove = database.prepare('DELETE FROM items WHERE key = ?');

function create({ name, isComplete }) {
  const item = { key: randomUUID(), name, isComplete };
  insert.run(item.key, name, isComplete ? 1 : 0);
  return item;
}

function replace(request, reply) {
  const { name, isComplete } = request.body;
  if (update.run(name, isComplete ? 1 : 0, request.params.id).changes === 0) return missing(request, reply);
  return reply.code(204).headers(lines.empty).send();
}

const app = fastify(options);
app.get('/api/todo', schemas.list, (request, reply) => {
  reply.headers(lines.list).send(every.all());
});
app.get('/api/todo/:id', schemas.get, (request, reply) => {
  const item = one.get(request.params.id);
  if (item === undefined) missing(request, reply);
  else reply.headers(lines.item).send(item);
});
app.post('/api/todo', schemas.create, (request, reply) => {
  const item = create(request.body);
  reply
    .code(201)
    .headers(lines.item)
    .header('Location', PREFIX + item.key)
    .send(item);
});
app.put('/api/todo/:id', schemas.put, (request, reply) => {
  if (request.body.key === request.params.id) replace(request, reply);
  else wrongKey(reply);
});
app.patch('/api/todo/:id', schemas.patch, (request, reply) => {
  replace(request, reply);
});
app.delete('/api/todo/:id', (request, reply) => {
  if (remove.run(request.params.id).changes === 0) missing(request, reply);
  else reply.code(204).headers(removed).send();
});

if (every.all().length === 0) create({ name: 'Item1', isComplete: false });
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
