/** Answers besides JSON: a list in three media types, files and streams, and what each has in headers. */
import { Readable } from 'node:stream';
import { entityTag } from '../../../src/http.ts';
import { type Controller, ok, operation, schema } from '../../../src/index.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';

const Row = schema('Row', {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int32', readOnly: true },
    name: { type: 'string' },
    price: { type: 'number', 'x-nullable': true },
    secret: { type: 'string', writeOnly: true },
  },
});
const ROWS = [
  { id: 1, name: 'Ünal, "the" first', price: 19.99 },
  { id: 2, name: '=1+1', price: null },
];
/** It has every byte, so it is no text in any encoding. */
const PICTURE = Uint8Array.from({ length: 256 }, (_, at) => at);
const EVENTS = ['data: {"id":1}\n\n', 'event: end\ndata: Ünal\n\n'];
const PLACE = '{"type":"Point","coordinates":[13.4,52.5]}';
const NOTE = '12\n';

const etag = {
  ETag: { type: 'string', description: 'Names this state; send it in If-None-Match', always: true },
} as const;
const count = {
  'X-Count': { type: 'integer', format: 'int32', minimum: 0, description: 'How many rows there are', always: true },
} as const;
const length = {
  'Content-Length': { type: 'integer', format: 'int64', description: 'How many bytes it has', always: true },
} as const;
const pictureHeaders = {
  ...etag,
  'X-Size': {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    minItems: 2,
    description: 'Its width and its height',
    example: [640, 480],
    always: true,
  },
  'X-Colour': { type: 'string', enum: ['grey', 'none'], description: 'Its colour, where it has one' },
  'X-Taken': { type: 'string', format: 'date', description: 'When it was taken' },
} as const;

export const answers: Controller = {
  name: 'Answers',
  path: 'api/answers',
  operations: [
    operation({
      method: 'GET',
      path: 'rows',
      summary: 'Lists rows as JSON, as CSV or as the bytes of their numbers.',
      responses: {
        200: {
          description: 'The rows',
          schema: { type: 'array', items: Row },
          headers: { ...etag, ...count },
          example: [{ id: 7, name: 'Anna, "A"', price: null }],
        },
        304: { description: 'If it is what If-None-Match names', headers: { ...etag, ...count } },
        412: { description: 'If it is not what If-Match names' },
      },
      writers: {
        'text/csv': csv(['id', 'name', 'price']),
        'application/octet-stream': (rows) => Uint8Array.from(rows, ({ id }) => 0xff - (id ?? 0)),
      },
      handle: () => ({ ...ok(ROWS), headers: { ETag: entityTag(1), 'X-Count': String(ROWS.length) } }),
    }),
    operation({
      method: 'GET',
      path: 'picture',
      summary: 'Returns a file.',
      responses: {
        200: { description: 'Its bytes', mediaType: 'image/png', headers: { ...pictureHeaders, ...length } },
        304: { description: 'If it is what If-None-Match names', headers: pictureHeaders },
        412: { description: 'If it is not what If-Match names' },
      },
      handle: () => ({ ...ok(PICTURE), headers: { ETag: entityTag(2), 'X-Size': '16,16' } }),
    }),
    operation({
      method: 'GET',
      path: 'events',
      summary: 'Streams events, and ends.',
      responses: { 200: { description: 'Two events', mediaType: 'text/event-stream', example: EVENTS.join('') } },
      handle: () => ok(Readable.from(EVENTS)),
    }),
    operation({
      method: 'GET',
      path: 'place',
      summary: 'Returns a file with JSON.',
      responses: { 200: { description: 'Its text', mediaType: 'application/geo+json', example: PLACE } },
      handle: () => ok(PLACE),
    }),
    operation({
      method: 'GET',
      path: 'note',
      summary: 'Streams a text that looks like a number, of a length that is known.',
      responses: { 200: { description: 'The text', mediaType: 'text/plain', example: NOTE, headers: length } },
      handle: () => ({ ...ok(Readable.from([NOTE])), headers: { 'Content-Length': String(NOTE.length) } }),
    }),
  ],
};
