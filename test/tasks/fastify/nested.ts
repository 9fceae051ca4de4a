import swagger from '@fastify/swagger';
import { type FastifyPluginAsyncTypebox, Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { DEVICES } from '../shared.ts';

const Device = Type.Object({ name: Type.String(), loans: Type.String() });
const Wish = Type.Object({ until: Type.String({ format: 'date' }) });
const Loan = Type.Object({ until: Type.String({ format: 'date' }), device: Type.String() });
const Failure = Type.Object({ message: Type.String() });

const loans = new Map<string, { readonly serial: string; readonly until: string }>();

const lending: FastifyPluginAsyncTypebox = async (scope) => {
  const linkOf = (serial: string) => `${scope.prefix}/devices/${encodeURIComponent(serial)}`;
  scope.get(
    '/devices/:serial',
    { schema: { params: Type.Object({ serial: Type.String() }), response: { 200: Device, 404: Failure } } },
    async (request, reply) => {
      const { serial } = request.params;
      const name = DEVICES.get(serial);
      if (name === undefined) return reply.code(404).send({ message: `There is no device ${serial}` });
      return { name, loans: `${linkOf(serial)}/loans` };
    },
  );
  scope.get(
    '/devices/:serial/loans/:id',
    {
      schema: {
        params: Type.Object({ serial: Type.String(), id: Type.String() }),
        response: { 200: Loan, 404: Failure },
      },
    },
    async (request, reply) => {
      const { serial, id } = request.params;
      const loan = loans.get(id);
      if (loan?.serial !== serial) return reply.code(404).send({ message: `There is no loan ${id} of ${serial}` });
      return { until: loan.until, device: linkOf(serial) };
    },
  );
  scope.post(
    '/devices/:serial/loans',
    {
      schema: {
        params: Type.Object({ serial: Type.String() }),
        body: Wish,
        response: { 201: Loan, 404: Failure },
      },
    },
    async (request, reply) => {
      const { serial } = request.params;
      const { until } = request.body;
      if (!DEVICES.has(serial)) return reply.code(404).send({ message: `There is no device ${serial}` });
      const id = String(loans.size + 1);
      loans.set(id, { serial, until });
      return reply
        .code(201)
        .header('Location', `${linkOf(serial)}/loans/${id}`)
        .send({ until, device: linkOf(serial) });
    },
  );
};

export const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Lending', version: '1' } } });
app.register(lending, { prefix: '/api' });
app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
