/** The first half of the service with Fastify: sites, meters and readings. */
import { STATUS_CODES } from 'node:http';
import etag from '@fastify/etag';
import swagger from '@fastify/swagger';
import { type TSchema, Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Setup } from './setup.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The meter of the device that asks. */
    deviceMeter: string | undefined;
  }
}

const Site = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9-]{2,30}$' }),
  name: Type.String({ minLength: 1, maxLength: 80 }),
  city: Type.Optional(Type.String({ maxLength: 80 })),
});
const SiteChange = Type.Omit(Site, ['id']);
const Kind = Type.Enum(['electricity', 'gas', 'heat', 'water']);
const NewMeter = Type.Object({
  serial: Type.String({ pattern: '^[A-Z]{2}[0-9]{4}$' }),
  kind: Kind,
  unit: Type.Enum(['kWh', 'm3']),
});
const Meter = Type.Object({ ...NewMeter.properties, site: Type.String() });
const Time = Type.String({ format: 'date-time' });
const NewReading = Type.Object({ at: Time, value: Type.Number({ minimum: 0 }) });
const Reading = Type.Object({ ...NewReading.properties, meter: Type.String() });
const Page = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next: Type.Optional(Type.String()) });
const Size = Type.Integer({ minimum: 1, maximum: 100, default: 20 });
const From = Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 });
const SiteId = Type.Object({ site: Type.String() });
const MeterId = Type.Object({ meter: Type.String() });
const Problem = Type.Object(
  { type: Type.String(), title: Type.String(), status: Type.Integer(), detail: Type.String() },
  { additionalProperties: true },
);
/** The responses of an operation that may answer these problems. */
const problems = <const Status extends number>(...statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, Problem])) as unknown as Record<Status, typeof Problem>;

const inUtc = (time: string): string => new Date(time).toISOString();

/** What an operation throws in place of its reply; the handler of errors answers it. */
const failure = (statusCode: number, detail: string) => Object.assign(new Error(detail), { statusCode });
const noSite = (id: string): never => {
  throw failure(404, `There is no site "${id}"`);
};
const noMeter = (serial: string): never => {
  throw failure(404, `There is no meter "${serial}"`);
};

/** Where the faults of an input are. */
function errorsOf({ validation, validationContext }: FastifyError) {
  return validation?.map(({ instancePath, params, message = '' }) => {
    const missing = params['missingProperty'];
    const pointer = missing === undefined ? instancePath : `${instancePath}/${missing}`;
    return validationContext === 'body'
      ? { pointer, detail: message }
      : { parameter: pointer.slice(1), in: validationContext, detail: message };
  });
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode: status = 500 } = error;
  if (status >= 500) request.log.error(error);
  const detail = status < 500 ? error.message : 'The server has failed';
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail, instance: request.url };
  const text = JSON.stringify({ ...body, errors: errorsOf(error) });
  return reply
    .code(status)
    .type('application/problem+json')
    .serializer(String)
    .send(text as never);
}

/** The link to another page: the own path with other parameters. */
function link({ url, query }: { url: string; query: object }, values: object): string {
  const parameters = Object.entries({ ...query, ...values }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `${url.split('?')[0]}?${new URLSearchParams(parameters)}`;
}

export async function meters({ tokens, keys, store }: Setup) {
  const app = Fastify({
    ajv: { customOptions: { allErrors: true } },
    frameworkErrors: answerError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  await app.register(etag);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Meter readings', version: '1' },
      components: {
        securitySchemes: {
          Staff: { type: 'http', scheme: 'bearer' },
          Device: { type: 'apiKey', in: 'header', name: 'X-Device-Key' },
        },
      },
    },
  });
  app.decorateRequest('deviceMeter', undefined);
  app.setErrorHandler<FastifyError>(answerError);
  app.setNotFoundHandler((request) => {
    throw failure(404, `There is no ${request.url}`);
  });

  /** Lets staff with a role pass, and a device where it may. */
  const allow = (role: string, isDeviceAllowed = false) => ({
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const { authorization = '', 'x-device-key': key } = request.headers;
      if (isDeviceAllowed && typeof key === 'string' && Object.hasOwn(keys, key)) {
        request.deviceMeter = keys[key]!.identity.meter;
        return;
      }
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
      if (!Object.hasOwn(tokens, token)) {
        reply.header('WWW-Authenticate', 'Bearer realm="api"');
        throw failure(401, 'The request has no valid credentials');
      }
      if (!tokens[token]!.roles.includes(role)) throw failure(403, `This takes the role "${role}"`);
    },
  });
  const staffOnly = [{ Staff: [] }];
  const staffOrDevice = [{ Staff: [] }, { Device: [] }];

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      api.get(
        '/sites',
        {
          ...allow('reader'),
          schema: {
            security: staffOnly,
            querystring: Type.Object({ from: From, size: Size }),
            response: { 200: Page(Site), ...problems(400, 401, 403) },
          },
        },
        async (request) => {
          const { from, size } = request.query;
          const { items, hasMore } = store.sites(from, size);
          return { items: [...items], ...(hasMore && { next: link(request, { from: from + size }) }) };
        },
      );
      api.post(
        '/sites',
        {
          ...allow('keeper'),
          schema: { security: staffOnly, body: Site, response: { 201: Site, ...problems(400, 401, 403, 409, 415) } },
        },
        async (request, reply) => {
          const kept = store.addSite(request.body);
          if (kept === undefined) throw failure(409, `There is a site "${request.body.id}" already`);
          return reply.code(201).header('Location', `/api/sites/${kept.site.id}`).send(kept.site);
        },
      );
      api.get(
        '/sites/:site',
        {
          ...allow('reader'),
          schema: { security: staffOnly, params: SiteId, response: { 200: Site, ...problems(401, 403, 404) } },
        },
        async (request) => store.site(request.params.site)?.site ?? noSite(request.params.site),
      );
      api.put(
        '/sites/:site',
        {
          ...allow('keeper'),
          schema: {
            security: staffOnly,
            params: SiteId,
            body: SiteChange,
            response: { 200: Site, ...problems(400, 401, 403, 404, 415) },
          },
        },
        async (request) => {
          const { site } = request.params;
          return store.replaceSite({ ...request.body, id: site })?.site ?? noSite(site);
        },
      );
      api.delete(
        '/sites/:site',
        {
          ...allow('keeper'),
          schema: {
            security: staffOnly,
            params: SiteId,
            response: { 204: Type.Null(), ...problems(401, 403, 404, 409) },
          },
        },
        async (request, reply) => {
          const { site } = request.params;
          const removed = store.removeSite(site);
          if (removed === 'used') throw failure(409, `The site "${site}" has meters`);
          return removed ? reply.code(204).send(null) : noSite(site);
        },
      );
      api.get(
        '/sites/:site/meters',
        {
          ...allow('reader'),
          schema: {
            security: staffOnly,
            params: SiteId,
            querystring: Type.Object({ kind: Type.Optional(Kind), from: From, size: Size }),
            response: { 200: Page(Meter), ...problems(400, 401, 403, 404) },
          },
        },
        async (request) => {
          const { site } = request.params;
          const { kind, from, size } = request.query;
          if (store.site(site) === undefined) return noSite(site);
          const { items, hasMore } = store.meters(site, kind, from, size);
          return { items: [...items], ...(hasMore && { next: link(request, { from: from + size }) }) };
        },
      );
      api.post(
        '/sites/:site/meters',
        {
          ...allow('keeper'),
          schema: {
            security: staffOnly,
            params: SiteId,
            body: NewMeter,
            response: { 201: Meter, ...problems(400, 401, 403, 404, 409, 415) },
          },
        },
        async (request, reply) => {
          const { site } = request.params;
          if (store.site(site) === undefined) return noSite(site);
          const meter = { ...request.body, site };
          if (!store.addMeter(meter)) throw failure(409, `There is a meter "${meter.serial}" already`);
          return reply.code(201).header('Location', `/api/meters/${meter.serial}`).send(meter);
        },
      );
      api.get(
        '/meters/:meter',
        {
          ...allow('reader'),
          schema: { security: staffOnly, params: MeterId, response: { 200: Meter, ...problems(401, 403, 404) } },
        },
        async (request) => store.meter(request.params.meter) ?? noMeter(request.params.meter),
      );
      api.get(
        '/meters/:meter/readings',
        {
          ...allow('reader'),
          schema: {
            summary: 'Lists the readings of a meter in the order of their times',
            security: staffOnly,
            params: MeterId,
            querystring: Type.Object({
              since: Type.Optional(Time),
              until: Type.Optional(Time),
              after: Type.Optional(Time),
              size: Size,
            }),
            response: { 200: Page(Reading), ...problems(400, 401, 403, 404) },
          },
        },
        async (request) => {
          const { meter } = request.params;
          const { since, until, after, size } = request.query;
          if (store.meter(meter) === undefined) return noMeter(meter);
          const range = {
            meter,
            since: since && inUtc(since),
            until: until && inUtc(until),
            after: after && inUtc(after),
          };
          const { items, hasMore } = store.readings(range, size);
          return { items: [...items], ...(hasMore && { next: link(request, { after: items.at(-1)!.at }) }) };
        },
      );
      api.post(
        '/meters/:meter/readings',
        {
          ...allow('keeper', true),
          schema: {
            summary: 'Adds a reading; a device adds those of its own meter',
            security: staffOrDevice,
            params: MeterId,
            body: NewReading,
            response: { 201: Reading, ...problems(400, 401, 403, 404, 409, 415) },
          },
        },
        async (request, reply) => {
          const { meter } = request.params;
          if ((request.deviceMeter ?? meter) !== meter) throw failure(403, 'A device adds readings of its own meter');
          if (store.meter(meter) === undefined) return noMeter(meter);
          const reading = { meter, at: inUtc(request.body.at), value: request.body.value };
          if (!store.addReading(reading)) throw failure(409, `There is a reading of ${reading.at} already`);
          return reply.code(201).header('Location', `/api/meters/${meter}/readings`).send(reading);
        },
      );
    },
    { prefix: '/api' },
  );
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  return app;
}
