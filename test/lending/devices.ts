/** The operations of devices in version 2, and of events about them. */
import { controller, created, ok, operation, problem } from '../../src/index.ts';
import { itemHeaders, itemResponses, replaceItem } from '../../src/plugins/collection/collection.ts';
import { events } from '../../src/shelf/events/events.ts';
import type { Access } from './access.ts';
import { DEVICE } from './device-store.ts';
import type { House } from './house.ts';
import { page } from './schemas.ts';

/** The operation that reads a device. Others link to it. */
export const readDeviceIn = (house: House) =>
  operation({
    method: 'GET',
    path: '{serial:serial}',
    summary: 'Returns one device',
    responses: { 200: { schema: DEVICE, headers: itemHeaders.one }, ...itemResponses.read },
    handle: async ({ values: { serial } }) => ok(await house.device(serial)),
  });
export type ReadDevice = ReturnType<typeof readDeviceIn>;

/** Returns the controller. A keeper adds and changes devices, with a badge or in a session. */
export function devicesController(house: House, { staff, session }: Access, readDevice: ReadDevice) {
  const { devices } = house;
  const keepers = [
    { scheme: staff, roles: ['keeper'] },
    { scheme: session, roles: ['keeper'] },
  ] as const;
  return controller({
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
          house.send('device', { serial });
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
        handle: ({ context }) => events(context, ({ lastEventId, signal }) => house.news(lastEventId, signal)),
      }),
    ],
  });
}
