/**
 * Code that must not compile. An `@ts-expect-error` is itself an error if the next line compiles.
 *
 * Nothing here runs; `npm run typecheck` reads it. An embedding user imports `src/index.ts`.
 */
import { Readable } from 'node:stream';
import { securityScheme } from '../../../src/extending.ts';
import {
  type Controller,
  created,
  controller as declareController,
  operations as declareOperations,
  type Infer,
  noContent,
  notFound,
  ok,
  operation,
  type ParameterDeclaration,
  type Parameters,
  type Plugin,
  type ResponseDeclaration,
  type Responses,
  route,
  type Schema,
  type Security,
  schema,
  text,
} from '../../../src/index.ts';
import type { HeaderDeclaration } from '../../../src/operations/parameters/parameter.ts';
import { itemHeaders, itemResponses } from '../../../src/plugins/collection/collection.ts';
import { apiKeys, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    text: { type: 'string', 'x-nullable': true },
    done: { type: 'boolean', default: false },
    stars: { type: 'integer' },
  },
});
const responses = { 200: { schema: Note }, 404: {} } as const;
const list = { method: 'GET', path: '' } as const;
const item = { method: 'GET', path: '{id}' } as const;
const read = { ...item, responses } as const;
const note = { id: '1', text: null, done: false };

// All of these compile.
const good = [
  operation({
    method: 'GET',
    path: '{id}',
    parameters: { id: 'Its id' },
    responses,
    handle: ({ values }) => (values.id === '1' ? ok(note) : notFound('none')),
  }),
  operation({
    method: 'GET',
    path: '{id}',
    responses,
    handle: async ({ values }) => (values.id === '1' ? ok({ ...note, stars: 5 }) : notFound('none')),
  }),
  operation({
    method: 'POST',
    path: '',
    body: Note,
    responses: { 201: { schema: Note } },
    handle: ({ body }) => created(body, 'NotesByIdGet', { id: body.id }),
  }),
  operation({
    method: 'DELETE',
    path: 'files/{name}.{ext?}',
    responses: { 204: {} },
    handle({ values }) {
      const ext: string | undefined = values.ext;
      void [values.name.length, ext];
      return noContent();
    },
  }),
];
export const controller: Controller = { name: 'Note', path: 'notes', operations: good };

// @ts-expect-error A parameter that the path does not have
operation({ ...read, handle: ({ values }) => ok({ ...note, id: values.key }) });

route({
  method: 'GET',
  path: 'hello/{name=World}',
  // @ts-expect-error A parameter that the path of a plain route does not have
  handle: ({ values }) => text(values.nam),
});

// A list of methods, and links from the input. `link` does not take a list of texts as a name.
route({
  method: ['GET', 'HEAD'],
  path: 'files/{name}.{ext?}',
  handle({ values, link, context, route }) {
    const path: string | undefined = link('NotesByIdGet', { id: values.name, page: 2, ext: values.ext });
    // @ts-expect-error A route name that is not a text
    link(['NotesByIdGet']);
    return text(`${context.method} ${route.template.text} ${path}`);
  },
});
route({ path: 'any', constraints: { n: (value) => value.endsWith('0') }, handle: async () => text('later') });
// @ts-expect-error A route without a handler
route({ path: 'none' });
// @ts-expect-error A route without a path
route({ handle: () => text('') });
// @ts-expect-error An unknown member of a route
route({ methods: 'GET', path: '', handle: () => text('') });
// @ts-expect-error A constraint that accepts nothing
route({ path: '{n}', constraints: { n: 5 }, handle: () => text('') });
// @ts-expect-error A handler without a reply
route({ path: '', handle: () => undefined });
export const even: Plugin = {
  name: 'even',
  constraints: { even: (value) => /[02468]$/.test(value), odd: { takes: [0, 0], make: () => ({ text: '', accepts }) } },
};
function accepts(value: string | undefined): boolean {
  return value !== undefined;
}

// @ts-expect-error A status that is not declared
operation({ ...item, responses: { 200: { schema: Note } }, handle: () => notFound('none') });

// @ts-expect-error A body that does not match the schema
operation({ ...read, handle: () => ok({ ...note, done: 'yes' }) });

// @ts-expect-error A text for a parameter that does not exist
operation({ ...read, handle: () => ok(note), parameters: { key: 'Its key' } });

// The type of a schema: required properties and properties with a default are present, others are optional.
const inferred: Infer<typeof Note> = note;
export const ofNote: [string, string | null, boolean, number | undefined] = [
  inferred.id,
  inferred.text,
  inferred.done,
  inferred.stars,
];
// @ts-expect-error A required property that is missing
export const without: Infer<typeof Note> = { text: null, done: false };
// @ts-expect-error An unknown method
operation({ method: 'FETCH', path: '', responses: { 204: {} }, handle: () => noContent() });

// Parameters: typed by their declaration, by their constraints, else texts.
operation({
  method: 'GET',
  path: '{task:int}/{id:long}/{on:bool?}/{name}/{stars}',
  parameters: { stars: { type: 'integer', enum: [1, 2] }, name: 'Its name' },
  query: { page: { type: 'integer', default: 1 }, sort: { type: 'string', enum: ['up', 'down'] } },
  headers: { 'X-Tenant': { type: 'string', required: true } },
  responses: { 204: {} },
  handle({ parameters, query, headers, values }) {
    const typed: [number, bigint, boolean | undefined, string, 1 | 2] = [
      parameters.task,
      parameters.id,
      parameters.on,
      parameters.name,
      parameters.stars,
    ];
    const asked: [number, 'up' | 'down' | undefined, string] = [query.page, query.sort, headers['X-Tenant']];
    const text: string = values.task;
    // @ts-expect-error A parameter that the query does not have
    void query.size;
    void [typed, asked, text];
    return noContent();
  },
});

// Writers get the value of the handler. Files and streams are sent unchanged.
operation({
  method: 'GET',
  path: '',
  responses: { 200: { schema: { type: 'array', items: Note }, example: [{ text: null, done: false, id: 'a' }] } },
  writers: {
    'text/csv': csv(['text', 'done']),
    'text/plain': (notes) => notes.map(({ done }) => String(done satisfies boolean)).join(),
  },
  handle: () => ok([]),
});
operation({
  method: 'GET',
  path: '',
  responses: { 200: { mediaType: 'application/pdf' } },
  handle: ({ context }) => (context.query.size > 0 ? ok(Readable.from([])) : ok(Uint8Array.of(1))),
});
// @ts-expect-error A value where bytes, a text or a stream are declared
operation({ ...list, responses: { 200: { mediaType: 'application/pdf' } }, handle: () => ok({ a: 1 }) });

// The type and the place of a parameter decide which members it can have.
const rest = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;
const page = { type: 'integer', minimum: 1, default: 1 } as const;
operation({
  ...rest,
  path: '{id}/{n}',
  parameters: { id: { type: 'array', collectionFormat: 'csv', description: 'Its ids' }, n: 'Its number' },
  query: {
    page,
    size: { ...page, maximum: 100, deprecated: true },
    day: { type: 'string', format: 'date', required: true, example: '2026-01-01' },
    stars: { type: 'array', items: { type: 'integer', enum: [1, 2] }, collectionFormat: 'pipes', default: [1] },
  },
  headers: { 'X-Ids': { type: 'array', collectionFormat: 'csv', minItems: 1 } },
  handle({ query }) {
    const asked: [number, number, string, readonly (1 | 2)[]] = [query.page, query.size, query.day, query.stars];
    void asked;
    return noContent();
  },
});
// @ts-expect-error A keyword of another type
operation({ ...rest, query: { a: { type: 'string', minimum: 3 } } });
// @ts-expect-error A keyword of objects
operation({ ...rest, query: { a: { type: 'string', properties: {} } } });
// @ts-expect-error An unknown format
operation({ ...rest, query: { a: { type: 'string', format: 'hostname' } } });
// @ts-expect-error A default of another type
operation({ ...rest, query: { a: { type: 'integer', default: 'x' } } });
// @ts-expect-error A readOnly parameter
operation({ ...rest, query: { a: { type: 'string', readOnly: true } } });
// @ts-expect-error A writeOnly parameter
operation({ ...rest, query: { a: { type: 'string', writeOnly: true } } });
// @ts-expect-error A parameter that is null
operation({ ...rest, query: { a: { type: 'string', 'x-nullable': true } } });
// @ts-expect-error A named schema
operation({ ...rest, query: { a: schema('A', { type: 'string' }) } });
// @ts-expect-error A collectionFormat without a list
operation({ ...rest, query: { a: { type: 'string', collectionFormat: 'csv' } } });
// @ts-expect-error A list of objects
operation({ ...rest, query: { a: { type: 'array', items: { type: 'object' } } } });
// @ts-expect-error A list with a choice of item schemas
operation({ ...rest, query: { a: { type: 'array', items: { oneOf: [{ type: 'string' }] } } } });
// @ts-expect-error A keyword of another type in the items
operation({ ...rest, query: { a: { type: 'array', items: { type: 'string', minimum: 3 } } } });
// @ts-expect-error An item that is null
operation({ ...rest, query: { a: { type: 'array', items: { type: 'string', 'x-nullable': true } } } });
// @ts-expect-error A readOnly item
operation({ ...rest, query: { a: { type: 'array', items: { type: 'string', readOnly: true } } } });
// @ts-expect-error A default of an item
operation({ ...rest, query: { a: { type: 'array', items: { type: 'string', default: 'a' } } } });
// @ts-expect-error An item that is required
operation({ ...rest, query: { a: { type: 'array', items: { type: 'string', required: true } } } });
// @ts-expect-error A keyword of another type in a header
operation({ ...rest, headers: { a: { type: 'string', minimum: 3 } } });
// @ts-expect-error A keyword of another type in the path
operation({ ...rest, path: '{a}', parameters: { a: { type: 'string', minimum: 3 } } });

// The status of a response decides which members it can have.
operation({
  ...rest,
  responses: { 302: { location: 'NotesByIdGet' }, 204: { headers: itemHeaders.one }, ...itemResponses.change },
});
// @ts-expect-error A keyword of another type in a header of a response
operation({ ...rest, responses: { 204: { headers: { a: { type: 'string', description: '', minimum: 1 } } } } });
// @ts-expect-error A default of a header of a response
operation({ ...rest, responses: { 204: { headers: { a: { type: 'string', description: '', default: '' } } } } });
// @ts-expect-error A list of objects in a header of a response
operation({ ...rest, responses: { 204: { headers: { a: { type: 'array', description: '', items: Note } } } } });
// @ts-expect-error An unknown member of a response
operation({ ...rest, responses: { 204: { descripton: 'x' } } });
// @ts-expect-error An error with a schema
operation({ ...rest, responses: { 204: {}, 404: { schema: Note } } });
// @ts-expect-error An error with a mediaType
operation({ ...rest, responses: { 204: {}, 500: { mediaType: 'text/plain' } } });
// @ts-expect-error A schema for a status without a body
operation({ ...rest, responses: { 204: { schema: Note } } });
// @ts-expect-error A mediaType for a status without a body
operation({ ...rest, responses: { 204: {}, 304: { mediaType: 'text/plain' } } });
// @ts-expect-error A media type beside a schema
operation({ ...rest, responses: { 204: {}, 200: { schema: Note, mediaType: 'text/plain' } } });
// @ts-expect-error An example without a body
operation({ ...rest, responses: { 204: {}, 200: { example: 'a' } } });
declareController({
  name: 'Tasks',
  path: 'api/lists/{list}/tasks',
  operations: (operationBelow) => [
    // @ts-expect-error A keyword of another type below a controller
    operationBelow({ ...rest, parameters: { list: { type: 'string', minimum: 3 } } }),
    // @ts-expect-error An error with a schema below a controller
    operationBelow({ ...rest, responses: { 204: {}, 404: { schema: Note } } }),
  ],
});

// Types that are not literal, and conditional types, stay unchanged.
type Given = {
  readonly any: Schema;
  readonly one: ParameterDeclaration;
  readonly several: Parameters;
  readonly header: HeaderDeclaration;
  readonly response: ResponseDeclaration;
  readonly table: Responses;
  readonly isOn: boolean;
};
export const ofGiven = ({ any, one, several, header, response, table, isOn }: Given): readonly unknown[] => [
  operation({ ...rest, query: several, headers: { ...several, a: one } }),
  operation({ ...rest, query: { a: { ...one, required: true } } }),
  operation({ ...rest, query: { a: { ...page, ...(isOn && { maximum: 9 }) } } }),
  operation({ ...rest, path: '{a}', parameters: { a: one } }),
  operation({ ...rest, responses: table }),
  operation({ ...rest, responses: { ...table, 200: response, 201: { ...response, description: 'x' } } }),
  operation({ ...rest, responses: { 204: { headers: { a: header } }, ...(isOn && itemResponses.change) } }),
  operation({ ...rest, responses: { 204: {}, 200: { schema: any, example: { a: 1 } } } }),
];

// A spread of responses has the statuses as texts in its keys.
const shared = { 404: {}, 409: {} };
operation({
  method: 'GET',
  path: '',
  responses: { 200: { schema: { type: 'array', items: Note } }, ...shared },
  writers: { 'text/csv': (notes) => String(notes.length) },
  handle: ({ context }) => (context.query.size > 0 ? notFound('none') : ok([])),
});
const bearer = securityScheme('Bearer', { type: 'http', scheme: 'bearer' });
export const admins: Security = [bearer, { scheme: bearer, roles: ['admin'] }];
// @ts-expect-error Roles beside the name of a scheme
export const open: Security = [{ ...bearer, roles: ['admin'] }];

// The security decides the type of the identity.
const staff = bearerTokens({ a: { identity: { name: 'Ada' } } }, { roles: ['reader', 'keeper'] });
const device = apiKeys({ b: { identity: { meter: 7 } } });
const secured = { method: 'GET', path: '', responses: { 200: { schema: { type: 'string' } } } } as const;
const keeper: Security = [{ scheme: staff, roles: ['keeper'] }];
const readers = [{ scheme: staff, roles: ['reader'] }];
export const identities: readonly unknown[] = [
  operation({ ...secured, security: [staff], handle: ({ identity }) => ok(identity.name) }),
  operation({
    ...secured,
    security: [{ scheme: staff, roles: ['keeper'] }],
    handle: ({ identity: { name } }) => ok(name),
  }),
  operation({ ...secured, security: readers, handle: ({ identity }) => ok(identity.name) }),
  operation({
    ...secured,
    security: [...readers, device],
    handle: ({ identity }) => ok('name' in identity ? identity.name : String(identity.meter)),
  }),
  declareController({
    name: 'Secured',
    path: 'a/{b}',
    security: [staff],
    operations: (below) => [
      below({ ...secured, handle: ({ identity }) => ok(identity.name) }),
      below({ ...secured, security: [device], handle: ({ identity }) => ok(identity.meter.toFixed()) }),
      // @ts-expect-error The identity of the controller has no such member
      below({ ...secured, handle: ({ identity }) => ok(identity.meter) }),
    ],
  }),
  // @ts-expect-error A member that the identity does not have
  operation({ ...secured, security: [staff], handle: ({ identity }) => ok(identity.title) }),
  // @ts-expect-error Two schemes: the identity may come from the other
  operation({ ...secured, security: [staff, device], handle: ({ identity }) => ok(identity.name) }),
  // @ts-expect-error The identity of a security with an unknown type
  operation({ ...secured, security: keeper, handle: ({ identity }) => ok(identity.name) }),
  // @ts-expect-error The identity of an operation that declares no security
  operation({ ...secured, handle: ({ identity }) => ok(identity.name) }),
];

// A scheme may declare all roles that can be required.
const signed = securityScheme('Signed', { type: 'http', scheme: 'bearer' }, ['writer']);
const texts: readonly string[] = ['keepr'];
const admitted = { ...secured, handle: () => ok('') };
export const required: readonly unknown[] = [
  operation({ ...admitted, security: [{ scheme: staff, roles: ['reader', 'keeper'] }, device, signed] }),
  operation({
    ...admitted,
    security: [
      { scheme: staff, roles: [] },
      { scheme: signed, roles: undefined },
    ],
  }),
  operation({ ...admitted, security: [{ scheme: device, roles: ['any'] }] }),
  operation({ ...admitted, security: [{ scheme: staff, roles: texts }] }),
  operation({ ...admitted, security: undefined }),
  declareOperations({}),
  declareOperations({ security: keeper }),
  declareOperations({ security: [{ scheme: staff, roles: ['keeper'] }, signed] }),
  // @ts-expect-error A role that the authenticator does not declare
  operation({ ...admitted, security: [{ scheme: staff, roles: ['keepr'] }] }),
  // @ts-expect-error One such role of several
  operation({ ...admitted, security: [device, { scheme: staff, roles: ['reader', 'keepr'] }] }),
  // @ts-expect-error A role that another scheme declares
  operation({ ...admitted, security: [staff, { scheme: signed, roles: ['reader'] }] }),
  // @ts-expect-error A role in other letters
  operation({ ...admitted, security: [{ scheme: signed, roles: ['Writer'] }] }),
  // @ts-expect-error Such a role of a controller
  declareController({ name: 'A', path: 'a', security: [{ scheme: staff, roles: ['keepr'] }], operations: () => [] }),
  declareController({
    name: 'A',
    path: 'a',
    security: [staff],
    // @ts-expect-error Such a role below a controller
    operations: (below) => [below({ ...admitted, security: [{ scheme: staff, roles: ['keepr'] }] })],
  }),
  // @ts-expect-error Such a role of all operations
  declareOperations({ security: [{ scheme: staff, roles: ['keepr'] }] }),
];
