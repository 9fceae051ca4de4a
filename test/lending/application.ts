/**
 * A second application: a house that lends cameras. It imports only entries of the package, here by their sources. In
 * your project, write `todo-item-service` for `../../src/index.ts`, `todo-item-service/http` for `../../src/http.ts`,
 * and so on.
 *
 * It has three controllers with nested paths, pages, enums and dates, an authenticated user with a type, events,
 * uploads, a custom store and a custom constraint.
 */
import { EventEmitter, on } from 'node:events';
import {
  answer,
  application,
  controller,
  created,
  type Infer,
  mounted,
  noContent,
  notFound,
  ok,
  operation,
  type Plugin,
  problem,
  type RunnableApplication,
  routesOf,
  type Schema,
  schema,
  stream,
} from '../../src/index.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { itemHeaders, itemResponses, replaceItem } from '../../src/plugins/collection/collection.ts';
import { description } from '../../src/plugins/description/description.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { authentication, bearerTokens, type Secrets } from '../../src/shelf/authentication/authentication.ts';
import { events, type ServerSentEvent } from '../../src/shelf/events/events.ts';
import { rateLimit } from '../../src/shelf/rate-limit/rate-limit.ts';
import { DEVICE, DeviceStore } from './device-store.ts';

export interface User {
  readonly name: string;
  readonly department: 'film' | 'news';
}

/** The schema of a page of a list, with the link to the next page. */
const page = <const S extends Schema>(items: S) =>
  ({
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items }, next: { type: 'string', 'x-nullable': true } },
  }) as const;

const WISH = schema('Wish', {
  type: 'object',
  required: ['until'],
  properties: {
    until: { type: 'string', format: 'date' },
    purpose: { type: 'string', enum: ['shoot', 'training'], default: 'shoot' },
  },
});
const LOAN = schema('Loan', {
  type: 'object',
  required: ['borrower', 'until', 'purpose', 'device'],
  properties: { ...WISH.properties, borrower: { type: 'string' }, device: { type: 'string' } },
});

/** Returns the application. `tokens` are the tokens of the staff. A keeper adds and changes devices. */
export function lending(tokens: Secrets<User>): RunnableApplication {
  const devices = new DeviceStore();
  const staff = bearerTokens<User>(tokens, { name: 'Staff', description: 'The token of your badge.' });
  const keepers = [{ scheme: staff, roles: ['keeper'] }];
  const loans = new Map<string, Infer<typeof WISH> & { readonly borrower: string }>();
  const photos = new Map<string, File>();
  const news = new EventEmitter();
  const sentEvents: ServerSentEvent[] = [];
  const send = (event: string, data: object): void => {
    sentEvents.push({ id: String(sentEvents.length + 1), event, data });
    news.emit('news', sentEvents.at(-1));
  };
  const noDevice = (serial: string) => notFound(`There is no device ${serial}`);

  const readDevice = operation({
    method: 'GET',
    path: '{serial:serial}',
    summary: 'Returns one device',
    responses: { 200: { schema: DEVICE, headers: itemHeaders.one }, ...itemResponses.read },
    async handle({ values: { serial } }) {
      const device = await devices.get(serial);
      return device === undefined ? noDevice(serial) : ok(device);
    },
  });

  const devicesController = controller({
    name: 'Devices',
    path: 'devices',
    operations: (operation) => [
      readDevice,
      operation({
        method: 'GET',
        path: '',
        summary: 'Lists devices, the oldest first',
        query: {
          kind: { type: 'string', enum: ['camera', 'tripod', 'light'], description: 'Only devices of this kind' },
          since: { type: 'string', format: 'date', description: 'Acquired on this day or later' },
          from: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
          size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        },
        responses: { 200: { schema: page(DEVICE) } },
        async handle({ query, link }) {
          const { items, hasMore } = await devices.select(query);
          return ok({ items, next: hasMore ? link({ from: query.from + query.size }) : null });
        },
      }),
      operation({
        method: 'POST',
        path: '',
        security: keepers,
        body: DEVICE,
        responses: {
          201: { schema: DEVICE, location: readDevice, headers: itemHeaders.created },
          409: { description: 'A device with this serial number exists' },
          ...itemResponses.create,
        },
        async handle({ body: device }) {
          const { serial } = device;
          if ((await devices.get(serial)) !== undefined) return problem(409, `There is a device ${serial} already`);
          send('device', { serial });
          return created(await devices.add(serial, device), readDevice, { serial });
        },
      }),
      operation({
        method: 'PUT',
        path: '{serial:serial}',
        security: keepers,
        body: DEVICE,
        responses: { 200: { schema: DEVICE, headers: itemHeaders.one }, ...itemResponses.change },
        handle: ({ context, values: { serial }, body }) =>
          replaceItem(devices, { key: serial, value: { ...body, serial } }, context, (device) => ok(device)),
      }),
      operation({
        method: 'GET',
        path: 'events',
        summary: 'Sends events, first the events since Last-Event-ID',
        responses: { 200: { mediaType: 'text/event-stream', description: 'Events named device and loan' } },
        handle: ({ context }) =>
          events(context, async function* ({ lastEventId, signal }) {
            const coming = on(news, 'news', { signal });
            yield* sentEvents.slice(Number(lastEventId ?? sentEvents.length));
            for await (const [event] of coming) yield event as ServerSentEvent;
          }),
      }),
    ],
  });

  const loansController = controller({
    name: 'Loans',
    path: 'devices/{serial:serial}/loan',
    security: [staff],
    operations(operation) {
      const read = operation({
        method: 'GET',
        path: '',
        responses: { 200: { schema: LOAN }, 404: {} },
        handle({ values: { serial }, link }) {
          const loan = loans.get(serial);
          return loan === undefined ? notFound(`${serial} is not lent`) : ok({ ...loan, device: link(readDevice) });
        },
      });
      const lend = operation({
        method: 'POST',
        path: '',
        body: WISH,
        responses: { 201: { schema: LOAN, location: read }, 404: {}, 409: { description: 'The device is lent' } },
        async handle({ context, values: { serial }, body, link }) {
          if ((await devices.get(serial)) === undefined) return noDevice(serial);
          if (loans.has(serial)) return problem(409, `${serial} is lent`, { until: loans.get(serial)!.until });
          const loan = { ...body, borrower: staff.identity.get(context).name };
          loans.set(serial, loan);
          send('loan', { serial, until: loan.until });
          return answer(201, { ...loan, device: link(readDevice) }, { location: { to: read, values: { serial } } });
        },
      });
      const giveBack = operation({
        method: 'DELETE',
        path: '',
        responses: { 204: {}, 403: {}, 404: {} },
        handle({ context, values: { serial } }) {
          const loan = loans.get(serial);
          if (loan === undefined) return notFound(`${serial} is not lent`);
          if (loan.borrower !== staff.identity.get(context).name)
            return problem(403, 'Only the borrower can return the device');
          loans.delete(serial);
          return noContent();
        },
      });
      return [read, lend, giveBack];
    },
  });

  const photosController = controller({
    name: 'Photos',
    path: 'devices/{serial:serial}/photo',
    operations: (operation) => [
      operation({
        method: 'GET',
        path: '',
        responses: { 200: { mediaType: 'image/png' }, 404: {} },
        handle({ values: { serial } }) {
          const photo = photos.get(serial);
          return photo === undefined
            ? notFound(`${serial} has no photo`)
            : stream(photo.stream(), { mediaType: 'image/png' });
        },
      }),
      operation({
        method: 'POST',
        path: '',
        security: [staff],
        body: form({
          title: { type: 'string', maxLength: 80, required: true },
          photo: { type: 'file', mediaTypes: ['image/png'], maxBytes: 500_000, required: true },
        }),
        responses: { 200: { schema: { type: 'string' } } },
        handle({ values: { serial }, body: { title, photo } }) {
          photos.set(serial, photo);
          return ok(title);
        },
      }),
    ],
  });

  const plugin: Plugin = {
    name: 'lending',
    constraints: { serial: (value) => /^[A-Z]{2}\d{4}$/.test(value) },
    routes: routesOf(devicesController, loansController, photosController),
  };
  return application([
    rateLimit({ limit: 1000, window: 60_000 }),
    authentication(staff),
    swaggerPage(),
    mounted('api', plugin),
    description({ title: 'Lending', version: '1' }),
  ]);
}
