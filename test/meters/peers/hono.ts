/** The first half of the service with Hono: sites, meters and readings. */
import { STATUS_CODES } from 'node:http';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { etag } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { Setup } from './setup.ts';

interface Env {
  Variables: {
    /** The meter of the device that asks. */
    deviceMeter: string | undefined;
  };
}

const Site = z
  .object({
    id: z.string().regex(/^[a-z0-9-]{2,30}$/),
    name: z.string().min(1).max(80),
    city: z.string().max(80).exactOptional(),
  })
  .openapi('Site');
const SiteChange = Site.omit({ id: true }).openapi('SiteChange');
const Kind = z.enum(['electricity', 'gas', 'heat', 'water']);
const NewMeter = z
  .object({ serial: z.string().regex(/^[A-Z]{2}[0-9]{4}$/), kind: Kind, unit: z.enum(['kWh', 'm3']) })
  .openapi('NewMeter');
const Meter = NewMeter.extend({ site: z.string() }).openapi('Meter');
const Time = z.iso.datetime({ offset: true });
const NewReading = z.object({ at: Time, value: z.number().min(0) }).openapi('NewReading');
const Reading = NewReading.extend({ meter: z.string() }).openapi('Reading');
const page = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), next: z.string().optional() });
const size = z.coerce.number().int().min(1).max(100).default(20);
const from = z.coerce.number().int().min(0).max(1_000_000).default(0);
const SiteId = z.object({ site: z.string() });
const MeterId = z.object({ meter: z.string() });
const Problem = z
  .looseObject({ type: z.string(), title: z.string(), status: z.number().int(), detail: z.string() })
  .openapi('Problem');

type Failure = 400 | 401 | 403 | 404 | 409 | 415 | 500;

const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });
const body = <S extends z.ZodType>(schema: S) => ({ content: json(schema), required: true }) as const;
/** The responses of an operation that may answer these problems. */
const problems = (...statuses: readonly Failure[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { content: { 'application/problem+json': { schema: Problem } }, description: STATUS_CODES[status]! },
    ]),
  );
const inUtc = (time: string): string => new Date(time).toISOString();

/** A problem in JSON, which Hono has no other media type for. */
function problem(c: Context, status: Failure, detail: string, errors?: readonly object[]): Response {
  const members = { type: 'about:blank', title: STATUS_CODES[status], status, detail, instance: c.req.path };
  const text = JSON.stringify({ ...members, ...(errors && { errors }) });
  return c.body(text, status, { 'Content-Type': 'application/problem+json' });
}

/** Ends an operation with a problem: the types of its responses know bodies of `c.json` alone. */
function fail(c: Context, status: Failure, detail: string): never {
  throw new HTTPException(status, { res: problem(c, status, detail) });
}

/** The link to another page: the own path with other parameters. */
function link(c: Context, query: object, values: object): string {
  const parameters = Object.entries({ ...query, ...values })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return `${c.req.path}?${new URLSearchParams(parameters)}`;
}

export function meters({ tokens, keys, store }: Setup) {
  const app = new OpenAPIHono<Env>({
    defaultHook(result, c) {
      if (result.success) return undefined;
      const errors = result.error.issues.map(({ path, message }) =>
        result.target === 'json'
          ? { pointer: path.map((name) => `/${String(name)}`).join(''), detail: message }
          : { parameter: String(path[0]), in: result.target, detail: message },
      );
      return problem(c, 400, 'The request is not as it is declared', errors);
    },
  }).basePath('/api');
  app.openAPIRegistry.registerComponent('securitySchemes', 'Staff', { type: 'http', scheme: 'bearer' });
  app.openAPIRegistry.registerComponent('securitySchemes', 'Device', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Device-Key',
  });
  app.use(etag());
  app.notFound((c) => problem(c, 404, `There is no ${c.req.path}`));
  app.onError((error, c) => {
    if (!(error instanceof HTTPException)) {
      console.error(error);
      return problem(c, 500, 'The server has failed');
    }
    return error.res ?? problem(c, error.status as Failure, error.message);
  });

  /** Lets staff with a role pass, and a device where it may. */
  const allow = (role: string, isDeviceAllowed = false) =>
    createMiddleware<Env>(async (c, next) => {
      const key = c.req.header('X-Device-Key');
      if (isDeviceAllowed && key !== undefined && Object.hasOwn(keys, key)) {
        c.set('deviceMeter', keys[key]!.identity.meter);
        return next();
      }
      const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';
      if (!Object.hasOwn(tokens, token)) {
        c.header('WWW-Authenticate', 'Bearer realm="api"');
        return problem(c, 401, 'The request has no valid credentials');
      }
      if (!tokens[token]!.roles.includes(role)) return problem(c, 403, `This takes the role "${role}"`);
      return next();
    });
  const reader = { security: [{ Staff: [] }], middleware: allow('reader') };
  const keeper = { security: [{ Staff: [] }], middleware: allow('keeper') };
  const keeperOrDevice = { security: [{ Staff: [] }, { Device: [] }], middleware: allow('keeper', true) };
  const noSite = (c: Context, id: string) => fail(c, 404, `There is no site "${id}"`);
  const noMeter = (c: Context, serial: string) => fail(c, 404, `There is no meter "${serial}"`);

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sites',
      ...reader,
      request: { query: z.object({ from, size }) },
      responses: { 200: { content: json(page(Site)), description: 'A page' }, ...problems(400, 401, 403) },
    }),
    (c) => {
      const query = c.req.valid('query');
      const { items, hasMore } = store.sites(query.from, query.size);
      const next = link(c, query, { from: query.from + query.size });
      return c.json({ items: [...items], ...(hasMore && { next }) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sites',
      ...keeper,
      request: { body: body(Site) },
      responses: { 201: { content: json(Site), description: 'The site' }, ...problems(400, 401, 403, 409) },
    }),
    (c) => {
      const site = c.req.valid('json');
      if (store.addSite(site) === undefined) return fail(c, 409, `There is a site "${site.id}" already`);
      return c.json(site, 201, { Location: `/api/sites/${site.id}` });
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/sites/{site}',
      ...reader,
      request: { params: SiteId },
      responses: { 200: { content: json(Site), description: 'The site' }, ...problems(401, 403, 404) },
    }),
    (c) => {
      const { site } = c.req.valid('param');
      return c.json(store.site(site)?.site ?? noSite(c, site), 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'put',
      path: '/sites/{site}',
      ...keeper,
      request: { params: SiteId, body: body(SiteChange) },
      responses: { 200: { content: json(Site), description: 'The site' }, ...problems(400, 401, 403, 404) },
    }),
    (c) => {
      const { site } = c.req.valid('param');
      return c.json(store.replaceSite({ ...c.req.valid('json'), id: site })?.site ?? noSite(c, site), 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'delete',
      path: '/sites/{site}',
      ...keeper,
      request: { params: SiteId },
      responses: { 204: { description: 'Removed' }, ...problems(401, 403, 404, 409) },
    }),
    (c) => {
      const { site } = c.req.valid('param');
      const removed = store.removeSite(site);
      if (removed === 'used') return fail(c, 409, `The site "${site}" has meters`);
      return removed ? c.body(null, 204) : noSite(c, site);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/sites/{site}/meters',
      ...reader,
      request: { params: SiteId, query: z.object({ kind: Kind.optional(), from, size }) },
      responses: { 200: { content: json(page(Meter)), description: 'A page' }, ...problems(400, 401, 403, 404) },
    }),
    (c) => {
      const { site } = c.req.valid('param');
      const query = c.req.valid('query');
      if (store.site(site) === undefined) return noSite(c, site);
      const { items, hasMore } = store.meters(site, query.kind, query.from, query.size);
      const next = link(c, query, { from: query.from + query.size });
      return c.json({ items: [...items], ...(hasMore && { next }) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sites/{site}/meters',
      ...keeper,
      request: { params: SiteId, body: body(NewMeter) },
      responses: { 201: { content: json(Meter), description: 'The meter' }, ...problems(400, 401, 403, 404, 409) },
    }),
    (c) => {
      const { site } = c.req.valid('param');
      if (store.site(site) === undefined) return noSite(c, site);
      const meter = { ...c.req.valid('json'), site };
      if (!store.addMeter(meter)) return fail(c, 409, `There is a meter "${meter.serial}" already`);
      return c.json(meter, 201, { Location: `/api/meters/${meter.serial}` });
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/meters/{meter}',
      ...reader,
      request: { params: MeterId },
      responses: { 200: { content: json(Meter), description: 'The meter' }, ...problems(401, 403, 404) },
    }),
    (c) => {
      const { meter } = c.req.valid('param');
      return c.json(store.meter(meter) ?? noMeter(c, meter), 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/meters/{meter}/readings',
      summary: 'Lists the readings of a meter in the order of their times',
      ...reader,
      request: {
        params: MeterId,
        query: z.object({ since: Time.optional(), until: Time.optional(), after: Time.optional(), size }),
      },
      responses: { 200: { content: json(page(Reading)), description: 'A page' }, ...problems(400, 401, 403, 404) },
    }),
    (c) => {
      const { meter } = c.req.valid('param');
      const query = c.req.valid('query');
      const { since, until, after } = query;
      if (store.meter(meter) === undefined) return noMeter(c, meter);
      const range = { meter, since: since && inUtc(since), until: until && inUtc(until), after: after && inUtc(after) };
      const { items, hasMore } = store.readings(range, query.size);
      return c.json({ items: [...items], ...(hasMore && { next: link(c, query, { after: items.at(-1)!.at }) }) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/meters/{meter}/readings',
      summary: 'Adds a reading; a device adds those of its own meter',
      ...keeperOrDevice,
      request: { params: MeterId, body: body(NewReading) },
      responses: { 201: { content: json(Reading), description: 'The reading' }, ...problems(400, 401, 403, 404, 409) },
    }),
    (c) => {
      const { meter } = c.req.valid('param');
      const { at, value } = c.req.valid('json');
      if ((c.get('deviceMeter') ?? meter) !== meter) return fail(c, 403, 'A device adds readings of its own meter');
      if (store.meter(meter) === undefined) return noMeter(c, meter);
      const reading = { meter, at: inUtc(at), value };
      if (!store.addReading(reading)) return fail(c, 409, `There is a reading of ${reading.at} already`);
      return c.json(reading, 201, { Location: `/api/meters/${meter}/readings` });
    },
  );
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Meter readings', version: '1' } });
  return app;
}
