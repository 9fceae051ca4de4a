import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

export const app = Fastify({ trustProxy: 'loopback' }).withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Jobs', version: '1' } } });
await app.register(rateLimit, { max: 3, timeWindow: '1 minute' });

app.post(
  '/jobs',
  { schema: { response: { 200: Type.String(), 429: Type.Object({ message: Type.String() }) } } },
  async (_request, reply) => {
    reply.type('application/json');
    return JSON.stringify('done');
  },
);

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
