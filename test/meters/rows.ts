/** What clients ask of sites, meters and readings: each row finds what the rows before it have made. */
import { type Row, row } from './row.ts';

const SITE = { id: 'north', name: 'North hall', city: 'Dessau' };
const METER = { serial: 'EL0001', kind: 'electricity', unit: 'kWh' };

export const ROWS: readonly Row[] = [
  row('sites, without credentials', 'nobody', 'GET /api/sites', 401, { answers: { 'WWW-Authenticate': /^Bearer/ } }),
  row('sites, with a wrong token', 'nobody', 'GET /api/sites', 401, { headers: { Authorization: 'Bearer x' } }),
  row('sites, without a role', 'guest', 'GET /api/sites', 403),
  row('sites, as a device', 'device', 'GET /api/sites', 401),
  row('sites, when there is none', 'reader', 'GET /api/sites', 200, { body: { items: [] } }),

  row('a new site, as a reader', 'reader', 'POST /api/sites', 403, { json: SITE }),
  row('a new site', 'keeper', 'POST /api/sites', 201, {
    json: SITE,
    body: SITE,
    answers: { Location: '/api/sites/north', 'Content-Type': /^application\/json/ },
  }),
  row('the same site again', 'keeper', 'POST /api/sites', 409, { json: SITE }),
  row('a second site', 'keeper', 'POST /api/sites', 201, { json: { id: 'south', name: 'South hall' } }),
  row('a third site', 'keeper', 'POST /api/sites', 201, { json: { id: 'west', name: 'West' } }),
  row('a site with two faults', 'keeper', 'POST /api/sites', 400, {
    json: { id: 'N', name: '' },
    places: ['/id', '/name'],
  }),
  row('a site without its name', 'keeper', 'POST /api/sites', 400, { json: { id: 'east' }, places: ['/name'] }),

  row('the first page of sites', 'reader', 'GET /api/sites?size=2', 200, {
    body: { items: [SITE, { id: 'south', name: 'South hall' }], next: '/api/sites?size=2&from=2' },
  }),
  row('its last page', 'reader', 'GET /api/sites?size=2&from=2', 200, {
    body: { items: [{ id: 'west', name: 'West' }], next: undefined },
  }),
  row('a parameter that is no number', 'reader', 'GET /api/sites?size=two', 400, { places: ['size'] }),
  row('two parameters out of bounds', 'reader', 'GET /api/sites?size=0&from=-1', 400, { places: ['from', 'size'] }),

  row('a site', 'reader', 'GET /api/sites/north', 200, { body: SITE }),
  row('a site that is not there', 'reader', 'GET /api/sites/none', 404),
  row('a path that is none', 'reader', 'GET /api/none', 404),
  row('a change', 'keeper', 'PUT /api/sites/north', 200, {
    json: { name: 'North' },
    body: { id: 'north', name: 'North', city: undefined },
  }),
  row('a change of a site that is not there', 'keeper', 'PUT /api/sites/none', 404, { json: { name: 'None' } }),

  row('a new meter', 'keeper', 'POST /api/sites/north/meters', 201, {
    json: METER,
    body: { ...METER, site: 'north' },
    answers: { Location: '/api/meters/EL0001' },
  }),
  row('a new meter of a site that is not there', 'keeper', 'POST /api/sites/none/meters', 404, { json: METER }),
  row('a serial number that is taken', 'keeper', 'POST /api/sites/north/meters', 409, { json: METER }),
  row('a meter of a kind that is none', 'keeper', 'POST /api/sites/north/meters', 400, {
    json: { ...METER, kind: 'steam' },
    places: ['/kind'],
  }),
  row('a second meter', 'keeper', 'POST /api/sites/north/meters', 201, {
    json: { serial: 'WA0001', kind: 'water', unit: 'm3' },
  }),
  row('the meters of one kind', 'reader', 'GET /api/sites/north/meters?kind=water', 200, {
    body: { items: [{ serial: 'WA0001', kind: 'water', unit: 'm3', site: 'north' }] },
  }),
  row('the first page of meters', 'reader', 'GET /api/sites/north/meters?size=1', 200, {
    body: { items: [{ ...METER, site: 'north' }], next: '/api/sites/north/meters?size=1&from=1' },
  }),
  row('a meter', 'reader', 'GET /api/meters/EL0001', 200, { body: { ...METER, site: 'north' } }),
  row('a meter that is not there', 'reader', 'GET /api/meters/EL9999', 404),
  row('to remove a site with meters', 'keeper', 'DELETE /api/sites/north', 409),
  row('to remove a site', 'keeper', 'DELETE /api/sites/west', 204, { body: '' }),
  row('to remove it again', 'keeper', 'DELETE /api/sites/west', 404),

  row('a reading of a device', 'device', 'POST /api/meters/EL0001/readings', 201, {
    json: { at: '2026-05-01T02:00:00+02:00', value: 17.5 },
    body: { meter: 'EL0001', at: '2026-05-01T00:00:00.000Z', value: 17.5 },
    answers: { Location: '/api/meters/EL0001/readings' },
  }),
  row('a reading of a meter that is not the own', 'device', 'POST /api/meters/WA0001/readings', 403, {
    json: { at: '2026-05-01T00:00:00Z', value: 1 },
  }),
  row('a reading, with a wrong key', 'nobody', 'POST /api/meters/EL0001/readings', 401, {
    headers: { 'X-Device-Key': 'x' },
    json: { at: '2026-05-01T01:00:00Z', value: 1 },
  }),
  row('a reading, as a reader', 'reader', 'POST /api/meters/EL0001/readings', 403, {
    json: { at: '2026-05-01T01:00:00Z', value: 1 },
  }),
  row('a reading of a time that has one', 'keeper', 'POST /api/meters/EL0001/readings', 409, {
    json: { at: '2026-05-01T00:00:00Z', value: 18 },
  }),
  row('a reading with two faults', 'keeper', 'POST /api/meters/EL0001/readings', 400, {
    json: { at: 'May', value: -1 },
    places: ['/at', '/value'],
  }),
  row('a reading of a day that is none', 'keeper', 'POST /api/meters/EL0001/readings', 400, {
    json: { at: '2026-02-30T00:00:00Z', value: 1 },
    places: ['/at'],
  }),
  row('a second reading', 'keeper', 'POST /api/meters/EL0001/readings', 201, {
    json: { at: '2026-05-01T01:00:00Z', value: 18 },
  }),
  row(
    'the first page of readings since a time',
    'reader',
    'GET /api/meters/EL0001/readings?since=2026-05-01T00%3A00%3A00Z&size=1',
    200,
    {
      body: {
        items: [{ meter: 'EL0001', at: '2026-05-01T00:00:00.000Z', value: 17.5 }],
        next: '/api/meters/EL0001/readings?since=2026-05-01T00%3A00%3A00Z&size=1&after=2026-05-01T00%3A00%3A00.000Z',
      },
    },
  ),
  row(
    'its next page',
    'reader',
    'GET /api/meters/EL0001/readings?since=2026-05-01T00%3A00%3A00Z&size=1&after=2026-05-01T00%3A00%3A00.000Z',
    200,
    { body: { items: [{ meter: 'EL0001', at: '2026-05-01T01:00:00.000Z', value: 18 }], next: undefined } },
  ),
  row('readings since a time that is none', 'reader', 'GET /api/meters/EL0001/readings?since=yesterday', 400, {
    places: ['since'],
  }),
  row('readings of a meter that is not there', 'reader', 'GET /api/meters/EL9999/readings', 404),
];

/** Two that are there when `NATURES` are asked. */
const NORTH = '/api/sites/north';
const WATER = '/api/meters/WA0001/readings';
const json = { 'Content-Type': 'application/json' };

/** What frameworks answer in ways of their own: asked after `ROWS`. */
export const NATURES: readonly Row[] = [
  row('bad JSON', 'keeper', `PUT ${NORTH}`, 400, { headers: json, text: '{"name":' }),
  row('an empty body', 'keeper', `PUT ${NORTH}`, 400, { headers: json, text: '' }),
  row('JSON of another kind', 'keeper', `PUT ${NORTH}`, 400, { json: [] }),
  row('a number in place of a text', 'keeper', 'PUT /api/sites/south', 400, { json: { name: 5 } }),
  row('a text in place of a number', 'keeper', `POST ${WATER}`, 400, {
    json: { at: '2026-05-01T05:00:00Z', value: '5' },
  }),
  row('null in place of a number', 'keeper', `POST ${WATER}`, 400, {
    json: { at: '2026-05-01T06:00:00Z', value: null },
  }),
  row('an unknown member', 'keeper', `PUT ${NORTH}`, 200, {
    json: { name: 'North', colour: 'red' },
    body: { id: 'north', name: 'North', colour: undefined },
  }),
  row('a member in another case', 'keeper', `PUT ${NORTH}`, 200, { json: { Name: 'North' } }),
  row('no media type', 'keeper', `PUT ${NORTH}`, 415, { headers: { 'Content-Type': '' }, text: '{"name":"North"}' }),
  row('a wrong media type', 'keeper', `PUT ${NORTH}`, 415, {
    headers: { 'Content-Type': 'text/plain' },
    text: '{"name":"North"}',
  }),
  row('a bad number', 'reader', 'GET /api/sites?size=two', 400, { places: ['size'] }),
  row('a number in hexadecimal', 'reader', 'GET /api/sites?size=0x2', 400),
  row('an empty number', 'reader', 'GET /api/sites?size=', 400),
  row('an empty number from 0', 'reader', 'GET /api/sites?from=', 400),
  row('a parameter twice', 'reader', 'GET /api/sites?size=1&size=2', 400),
  row('an unknown parameter', 'reader', 'GET /api/sites?colour=red', 200),
  row('a path that is none', 'reader', 'GET /api/none', 404),
  row('a path that cannot be decoded', 'reader', 'GET /api/sites/%E0', 400),
  row('a path with a slash at its end', 'reader', 'GET /api/sites/', 200),
  row('a path in another case', 'reader', 'GET /API/Sites', 200),
  row('a method that the path has not', 'keeper', `PATCH ${NORTH}`, 405, {
    json: {},
    answers: { Allow: /GET.*PUT.*DELETE/ },
  }),
  row('OPTIONS', 'nobody', `OPTIONS ${NORTH}`, 204, { answers: { Allow: /GET.*PUT.*DELETE/ } }),
  row('HEAD', 'reader', `HEAD ${NORTH}`, 200, { body: '' }),
  row('a version', 'reader', `GET ${NORTH}`, 200, { answers: { ETag: /^(?:W\/)?"/ } }),
  row('If-None-Match: *', 'reader', `GET ${NORTH}`, 304, { headers: { 'If-None-Match': '*' } }),
  row('a change with a stale If-Match', 'keeper', `PUT ${NORTH}`, 412, {
    headers: { 'If-Match': '"stale"' },
    json: { name: 'Lost' },
  }),
  row('a removal with a stale If-Match', 'keeper', 'DELETE /api/sites/south', 412, {
    headers: { 'If-Match': '"stale"' },
  }),
];
