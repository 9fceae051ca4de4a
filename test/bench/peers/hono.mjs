/** The measured operations on hono. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { change, create, isBody, items, lines, PREFIX } from './items.mjs';

const app = new Hono();
const bodyOf = (context) => context.req.json().catch(() => undefined);
const empty = (context, status) => context.body(null, status, lines.empty);

app.get('/api/todo', (context) => context.json([...items.values()], 200, lines.list));
app.get('/api/todo/:id', (context) => {
  const found = items.get(context.req.param('id'));
  return found === undefined ? empty(context, 404) : context.json(found, 200, lines.item);
});
app.post('/api/todo', async (context) => {
  const body = await bodyOf(context);
  if (!isBody(body)) return empty(context, 400);
  const made = create(body);
  return context.json(made, 201, { ...lines.item, Location: PREFIX + made.key });
});
app.put('/api/todo/:id', async (context) => {
  const body = await bodyOf(context);
  if (!isBody(body)) return empty(context, 400);
  return empty(context, change(context.req.param('id'), body) ? 204 : 404);
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
