import { on } from 'node:events';
import { fastifySSE } from '@fastify/sse';
import swagger from '@fastify/swagger';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { Newsroom } from '../shared.ts';

export const newsroom = new Newsroom();

export const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'News', version: '1' } } });
await app.register(fastifySSE);

app.get(
  '/news',
  {
    sse: 'only',
    schema: { response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } } },
  },
  async (_request, reply) => {
    const leaving = new AbortController();
    reply.sse.onClose(() => leaving.abort());
    const coming = on(newsroom, 'news', { signal: leaving.signal });
    await reply.sse.replay(async (lastEventId) => {
      for (const item of newsroom.told.slice(Number(lastEventId))) await reply.sse.send(item);
    });
    try {
      for await (const [item] of coming) await reply.sse.send(item);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  },
);

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
