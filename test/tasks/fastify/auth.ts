import bearerAuth from '@fastify/bearer-auth';
import swagger from '@fastify/swagger';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { HOLDERS, type Holder } from '../shared.ts';

declare module 'fastify' {
  interface FastifyRequest {
    holder: Holder;
  }
}

const User = Type.Object({ name: Type.String(), department: Type.Union([Type.Literal('film'), Type.Literal('news')]) });
const Failure = Type.Object({ error: Type.String() });

export const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Users', version: '1' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  },
});

async function isKeeper(request: FastifyRequest, reply: FastifyReply) {
  if (!request.holder.roles.includes('keeper')) return reply.code(403).send({ error: 'Only keepers' });
}

app.register(async (scope) => {
  scope.decorateRequest('holder');
  await scope.register(bearerAuth, {
    keys: new Set<string>(),
    auth(key, request) {
      const holder = HOLDERS.get(key);
      if (holder === undefined) return false;
      request.holder = holder;
      return true;
    },
  });
  const users = scope.withTypeProvider<TypeBoxTypeProvider>();
  users.get(
    '/me',
    { schema: { security: [{ bearer: [] }], response: { 200: User, 401: Failure } } },
    async (request) => {
      const user = request.holder.identity;
      return { name: user.name, department: user.department };
    },
  );
  users.get(
    '/keys',
    {
      schema: { security: [{ bearer: [] }], response: { 200: Type.Array(Type.String()), 401: Failure, 403: Failure } },
      preHandler: isKeeper,
    },
    async () => ['north', 'south'],
  );
});

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
