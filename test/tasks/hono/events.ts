import { on } from 'node:events';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { Newsroom } from '../shared.ts';

export const newsroom = new Newsroom();

export const app = new OpenAPIHono();

app.openapi(
  createRoute({
    method: 'get',
    path: '/news',
    responses: { 200: { content: { 'text/event-stream': { schema: z.string() } }, description: 'What happens' } },
  }),
  (c) =>
    streamSSE(c, async (stream) => {
      const leaving = new AbortController();
      stream.onAbort(() => leaving.abort());
      const coming = on(newsroom, 'news', { signal: leaving.signal });
      const lastEventId = c.req.header('Last-Event-ID');
      for (const item of newsroom.told.slice(Number(lastEventId ?? newsroom.told.length)))
        await stream.writeSSE({ ...item, data: JSON.stringify(item.data) });
      try {
        for await (const [item] of coming) await stream.writeSSE({ ...item, data: JSON.stringify(item.data) });
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
      }
    }),
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'News', version: '1' } });
