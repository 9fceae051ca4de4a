/** Every form of a parameter. Each operation answers what its handler was given, so a client sees what arrived. */
import { type Controller, ok, operation } from '../../../src/index.ts';

const colour = { type: 'string', enum: ['red', 'green', 'dark blue'] } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;
const numbers = { type: 'array', items: { type: 'integer', format: 'int32' } } as const;

/** What arrives from the query: one value of each type and format, and a list in each collectionFormat. */
const fromQuery = {
  count: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 10 },
  big: { type: 'integer', format: 'int64' },
  level: { type: 'integer', enum: [1, 2, 3] },
  ratio: { type: 'number', format: 'double', exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.25 },
  on: { type: 'boolean' },
  text: { type: 'string', minLength: 1, maxLength: 40, description: 'Any text', example: 'a & b' },
  code: { type: 'string', pattern: '^[A-Z]{2}-\\d{1,9}$' },
  colour,
  day: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  id: { type: 'string', format: 'uuid' },
  email: { type: 'string', format: 'email' },
  site: { type: 'string', format: 'uri' },
  old: { type: 'string' },
  repeated: { ...texts, minItems: 1, maxItems: 5, uniqueItems: true },
  colours: { type: 'array', items: colour },
  commas: texts,
  spaces: numbers,
  pipes: numbers,
} as const;

const readQuery = operation({
  method: 'GET',
  path: 'query',
  summary: 'Answers the parameters of the query.',
  remarks: 'A parameter that was not sent is absent, or has its default.',
  query: {
    ...fromQuery,
    colour: { ...colour, required: true, description: 'The one that has to be sent' },
    old: { ...fromQuery.old, deprecated: true },
    colours: { ...fromQuery.colours, collectionFormat: 'multi' },
    commas: { ...fromQuery.commas, collectionFormat: 'csv' },
    spaces: { ...fromQuery.spaces, collectionFormat: 'ssv' },
    pipes: { ...fromQuery.pipes, collectionFormat: 'pipes' },
  },
  responses: { 200: { description: 'What arrived', schema: { type: 'object', properties: fromQuery } } },
  handle: ({ query }) => ok(query),
});

const fromHeaders = {
  'X-Count': { type: 'integer', format: 'int32', default: 1 },
  'X-Ratio': { type: 'number' },
  'X-On': { type: 'boolean' },
  'X-Colour': colour,
  'X-Day': { type: 'string', format: 'date' },
  'X-Old': { type: 'string' },
  'X-Numbers': numbers,
  'X-Texts': texts,
} as const;

const readHeaders = operation({
  method: 'GET',
  path: 'headers',
  summary: 'Answers the parameters in headers.',
  headers: {
    ...fromHeaders,
    'X-Colour': { ...colour, required: true },
    'X-Old': { ...fromHeaders['X-Old'], deprecated: true },
    'X-Numbers': { ...numbers, collectionFormat: 'csv' },
  },
  responses: { 200: { schema: { type: 'object', properties: fromHeaders } } },
  handle: ({ headers }) => ok(headers),
});

/** A route constraint types its parameter, limits it, and is not repeated in the declaration. */
const readConstrained = operation({
  method: 'GET',
  path: 'path/{id:guid}/{count:int}/{level:range(1,5)}/{big:long}/{ratio:double}/{on:bool}/{word:alpha:length(2,8)}',
  summary: 'Answers the parameters of the path, which the constraints of the route type.',
  parameters: { id: 'Any UUID.', word: 'Letters.' },
  responses: {
    200: {
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          count: { type: 'integer', format: 'int32' },
          level: { type: 'integer' },
          big: { type: 'integer', format: 'int64' },
          ratio: { type: 'number' },
          on: { type: 'boolean' },
          word: { type: 'string' },
        },
      },
    },
  },
  handle: ({ parameters }) => ok({ ...parameters, level: Number(parameters.level), big: Number(parameters.big) }),
});

const fromPath = { day: { type: 'string', format: 'date' }, colour, text: { type: 'string' } } as const;

const readDeclared = operation({
  method: 'GET',
  path: 'declared/{day}/{colour}/{text}',
  summary: 'Answers the parameters of the path, which the operation declares.',
  parameters: { ...fromPath, day: { ...fromPath.day, description: 'A day.' } },
  responses: { 200: { schema: { type: 'object', properties: fromPath } } },
  handle: ({ parameters }) => ok(parameters),
});

const readList = operation({
  method: 'GET',
  path: 'list/{numbers}',
  summary: 'Answers a list in the path.',
  parameters: { numbers: { ...numbers, collectionFormat: 'csv' } },
  responses: { 200: { schema: numbers } },
  handle: ({ parameters }) => ok(parameters.numbers),
});

/** An optional parameter makes two paths of it in the documents. */
const readOptional = operation({
  method: 'GET',
  path: 'pages/{page:int?}',
  summary: 'Answers the page, if there is one.',
  responses: { 200: { schema: { type: 'object', properties: { page: { type: 'integer', format: 'int32' } } } } },
  handle: ({ parameters }) => ok(parameters),
});

const readFile = operation({
  method: 'GET',
  path: 'files/{*path}',
  summary: 'Answers what is left of the path.',
  responses: { 200: { schema: { type: 'object', properties: { path: { type: 'string' } } } } },
  handle: ({ parameters }) => ok(parameters),
});

const readDocument = operation({
  method: 'GET',
  path: 'documents/{name:minlength(2)}.{extension:alpha}/{page:min(1):max(9)}',
  summary: 'Answers the parts of a segment.',
  responses: {
    200: {
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, extension: { type: 'string' }, page: { type: 'integer' } },
      },
    },
  },
  handle: ({ parameters }) => ok({ ...parameters, page: Number(parameters.page) }),
});

const replaceEverything = operation({
  method: 'PUT',
  path: 'everywhere/{id}',
  summary: 'Answers a parameter of each place, and the body.',
  deprecated: true,
  parameters: { id: { type: 'integer', minimum: 1 } },
  query: { ids: numbers },
  headers: { 'X-Name': { type: 'string', required: true } },
  body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  bodyParameter: { name: 'content', description: 'The content' },
  responses: {
    200: {
      schema: {
        type: 'object',
        properties: { id: { type: 'integer' }, ids: numbers, name: { type: 'string' }, text: { type: 'string' } },
      },
    },
  },
  handle: ({ parameters, query, headers, body }) =>
    ok({ ...parameters, ...query, name: headers['X-Name'], text: body.text }),
});

/** Its path begins with a digit, with which no method of a generated client can begin. */
const readCode = operation({
  method: 'GET',
  path: '{code}',
  summary: 'Answers the code.',
  responses: { 200: { schema: { type: 'object', properties: { code: { type: 'string' } } } } },
  handle: ({ parameters }) => ok(parameters),
});

export const codes: Controller = { name: 'Codes', path: '2fa', operations: [readCode] };

export const parameters: Controller = {
  name: 'Parameters',
  path: 'api/parameters',
  operations: [
    readQuery,
    readHeaders,
    readConstrained,
    readDeclared,
    readList,
    readOptional,
    readFile,
    readDocument,
    replaceEverything,
  ],
};
