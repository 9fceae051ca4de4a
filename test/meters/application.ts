/**
 * A third application: the readings of meters. It uses the public names of the library alone, as anybody's would.
 *
 * This file has sites, meters and readings. `bulk.ts` has imports, exports and readings as they come.
 */
import { EventEmitter } from 'node:events';
import { representation, serializer } from '../../src/extending.ts';
import { allowedMethods } from '../../src/extensions/allowed-methods/allowed-methods.ts';
import {
  apiKeys,
  authentication,
  bearerTokens,
  type Secrets,
} from '../../src/extensions/authentication/authentication.ts';
import {
  changeResponses,
  createdHeaders,
  itemEtag,
  readResponses,
  removeItem,
  removeResponses,
  replaceItem,
} from '../../src/extensions/collection/collection.ts';
import { description } from '../../src/extensions/description/description.ts';
import {
  application,
  created,
  HttpProblem,
  mounted,
  notFound,
  ok,
  operation,
  type Plugin,
  problem,
  type RunnableApplication,
  routesOf,
  type Schema,
} from '../../src/index.ts';
import { bulk } from './bulk.ts';
import { inUtc, METER, NEW_METER, NEW_READING, READING, SITE, SITE_CHANGE, TIME } from './model.ts';
import type { KeptSite, MeterStore, Site } from './store.ts';

export interface Setup {
  /** The staff by token: "reader" may read, "keeper" may change. */
  readonly tokens: Secrets<{ readonly name: string }>;
  /** The devices by key: each adds readings of its meter, and may do nothing else. */
  readonly keys: Secrets<{ readonly meter: string }>;
  readonly store: MeterStore;
}

const page = <const S extends Schema>(items: S) =>
  ({
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items }, next: { type: 'string' } },
  }) as const;

const SIZE = { type: 'integer', minimum: 1, maximum: 100, default: 20 } as const;
const FROM = { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 } as const;

/** The application. Who starts it closes the store. */
export function meters({ tokens, keys, store }: Setup): RunnableApplication {
  const staff = bearerTokens(tokens, {
    name: 'Staff',
    description: 'The token of your badge.',
    roles: ['reader', 'keeper'],
  });
  const device = apiKeys(keys, { name: 'Device', parameter: 'X-Device-Key' });
  const reader = [{ scheme: staff, roles: ['reader'] }] as const;
  const keeper = [{ scheme: staff, roles: ['keeper'] }] as const;
  /** Emits the serial number of a meter that has new readings. */
  const news = new EventEmitter().setMaxListeners(0);

  const write = serializer(SITE, 'camelCase');
  const kept = (found: KeptSite | undefined) => found && representation<Site>(write(found.site), found.version);
  /** The sites as `replaceItem` and `removeItem` take them: with their versions, for If-Match. */
  const sites = {
    get: (id: string) => kept(store.site(id)),
    replace: (_id: string, site: Site, version?: unknown) =>
      kept(store.replaceSite(site, version as number | undefined)),
    remove(id: string, version?: unknown) {
      const removed = store.removeSite(id, version as number | undefined);
      if (removed === 'used') throw new HttpProblem(409, `The site "${id}" has meters`);
      return removed;
    },
  };
  const noSite = (id: string) => notFound(`There is no site "${id}"`);
  const noMeter = (serial: string) => notFound(`There is no meter "${serial}"`);

  const readSite = operation({
    method: 'GET',
    path: 'sites/{site}',
    security: reader,
    responses: { 200: { schema: SITE, headers: itemEtag }, ...readResponses },
    handle({ values: { site } }) {
      const found = sites.get(site);
      return found === undefined ? noSite(site) : ok(found);
    },
  });
  const readMeter = operation({
    method: 'GET',
    path: 'meters/{meter}',
    security: reader,
    responses: { 200: { schema: METER }, 404: {} },
    handle({ values: { meter } }) {
      const found = store.meter(meter);
      return found === undefined ? noMeter(meter) : ok(found);
    },
  });
  const readReadings = operation({
    method: 'GET',
    path: 'meters/{meter}/readings',
    summary: 'Lists the readings of a meter in the order of their times',
    security: reader,
    query: { since: TIME, until: TIME, after: TIME, size: SIZE },
    responses: { 200: { schema: page(READING) }, 404: {} },
    handle({ values: { meter }, query: { since, until, after, size }, link }) {
      if (store.meter(meter) === undefined) return noMeter(meter);
      const range = { meter, since: inUtc(since), until: inUtc(until), after: inUtc(after) };
      const { items, hasMore } = store.readings(range, size);
      return ok({ items, ...(hasMore && { next: link({ after: items.at(-1)!.at })! }) });
    },
  });

  const operations = [
    readSite,
    readMeter,
    readReadings,
    operation({
      method: 'GET',
      path: 'sites',
      security: reader,
      query: { from: FROM, size: SIZE },
      responses: { 200: { schema: page(SITE) } },
      handle({ query: { from, size }, link }) {
        const { items, hasMore } = store.sites(from, size);
        return ok({ items, ...(hasMore && { next: link({ from: from + size })! }) });
      },
    }),
    operation({
      method: 'POST',
      path: 'sites',
      security: keeper,
      body: SITE,
      responses: { 201: { schema: SITE, location: readSite, headers: createdHeaders }, 409: {} },
      handle({ body }) {
        const site = kept(store.addSite(body));
        return site === undefined
          ? problem(409, `There is a site "${body.id}" already`)
          : created(site, readSite, { site: body.id });
      },
    }),
    operation({
      method: 'PUT',
      path: 'sites/{site}',
      security: keeper,
      body: SITE_CHANGE,
      responses: { 200: { schema: SITE, headers: itemEtag }, ...changeResponses },
      handle: ({ context, values: { site }, body }) =>
        replaceItem(sites, { key: site, value: { ...body, id: site } }, context, (changed) => ok(changed)),
    }),
    operation({
      method: 'DELETE',
      path: 'sites/{site}',
      security: keeper,
      responses: { 204: {}, 409: { description: 'If it has meters' }, ...removeResponses },
      handle: ({ context, values: { site } }) => removeItem(sites, site, context),
    }),
    operation({
      method: 'GET',
      path: 'sites/{site}/meters',
      security: reader,
      query: { kind: METER.properties.kind, from: FROM, size: SIZE },
      responses: { 200: { schema: page(METER) }, 404: {} },
      handle({ values: { site }, query: { kind, from, size }, link }) {
        if (store.site(site) === undefined) return noSite(site);
        const { items, hasMore } = store.meters(site, kind, from, size);
        return ok({ items, ...(hasMore && { next: link({ from: from + size })! }) });
      },
    }),
    operation({
      method: 'POST',
      path: 'sites/{site}/meters',
      security: keeper,
      body: NEW_METER,
      responses: { 201: { schema: METER, location: readMeter }, 404: {}, 409: {} },
      handle({ values: { site }, body }) {
        if (store.site(site) === undefined) return noSite(site);
        const meter = { ...body, site };
        return store.addMeter(meter)
          ? created(meter, readMeter, { meter: meter.serial })
          : problem(409, `There is a meter "${meter.serial}" already`);
      },
    }),
    operation({
      method: 'POST',
      path: 'meters/{meter}/readings',
      summary: 'Adds a reading; a device adds those of its own meter',
      security: [...keeper, device],
      body: NEW_READING,
      responses: { 201: { schema: READING, location: readReadings }, 403: {}, 404: {}, 409: {} },
      handle({ identity, values: { meter }, body }) {
        if ('meter' in identity && identity.meter !== meter)
          return problem(403, 'A device adds readings of its own meter');
        if (store.meter(meter) === undefined) return noMeter(meter);
        const reading = { meter, at: inUtc(body.at), value: body.value };
        if (!store.addReading(reading)) return problem(409, `There is a reading of ${reading.at} already`);
        news.emit(meter);
        return created(reading, readReadings, { meter });
      },
    }),
  ];

  const readings: Plugin = {
    name: 'meters',
    routes: routesOf({
      name: 'Meters',
      path: '',
      operations: [...operations, ...bulk({ store, news, reader, keeper })],
    }),
  };
  return application([
    authentication(staff, device),
    mounted('api', readings),
    description({ title: 'Meter readings', version: '1' }),
    allowedMethods(),
  ]);
}
