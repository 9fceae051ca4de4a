import swagger from '@fastify/swagger';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

export const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Devices', version: '1' } } });

app.get(
  '/devices',
  {
    schema: {
      querystring: Type.Object({
        kind: Type.Optional(Type.Union([Type.Literal('camera'), Type.Literal('tripod')])),
        size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
        since: Type.Optional(Type.String({ format: 'date' })),
        tag: Type.Array(Type.String({ maxLength: 10 }), { default: [] }),
      }),
      response: { 200: Type.String() },
    },
  },
  async ({ query }, reply) => {
    reply.type('application/json');
    return JSON.stringify(`${query.size} ${query.kind ?? 'any'} ${query.since ?? '-'} ${query.tag.join('+')}`);
  },
);

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
