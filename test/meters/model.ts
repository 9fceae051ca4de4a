/** The schemas of the service, and its times. */

import { pick } from '../../src/extensions/schemas/schemas.ts';
import { schema } from '../../src/index.ts';

export const TIME = { type: 'string', format: 'date-time' } as const;

/** A time as it is kept: in UTC, so that texts are in the order of times. */
export const inUtc = <Time extends string | undefined>(time: Time): Time =>
  (time === undefined ? undefined : new Date(time).toISOString()) as Time;

export const SITE = schema('Site', {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', pattern: '^[a-z0-9-]{2,30}$' },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    city: { type: 'string', maxLength: 80 },
  },
});
/** What can be changed of a site. */
export const SITE_CHANGE = schema('SiteChange', pick(SITE, 'name', 'city'));
export const NEW_METER = schema('NewMeter', {
  type: 'object',
  required: ['serial', 'kind', 'unit'],
  properties: {
    serial: { type: 'string', pattern: '^[A-Z]{2}[0-9]{4}$' },
    kind: { type: 'string', enum: ['electricity', 'gas', 'heat', 'water'] },
    unit: { type: 'string', enum: ['kWh', 'm3'] },
  },
});
export const METER = schema('Meter', {
  type: 'object',
  required: [...NEW_METER.required, 'site'],
  properties: { ...NEW_METER.properties, site: { type: 'string' } },
});
export const NEW_READING = schema('NewReading', {
  type: 'object',
  required: ['at', 'value'],
  properties: { at: TIME, value: { type: 'number', minimum: 0 } },
});
export const READING = schema('Reading', {
  type: 'object',
  required: ['meter', ...NEW_READING.required],
  properties: { meter: { type: 'string' }, ...NEW_READING.properties },
});
