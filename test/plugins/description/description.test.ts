import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { statusText } from '../../../src/core/http/headers/header-lines.ts';
import type { Controller } from '../../../src/operations/operation/controller.ts';
import type { OperationOptions } from '../../../src/operations/operations.ts';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { byMediaType } from '../../../src/operations/uploads/by-media-type.ts';
import { bytes } from '../../../src/operations/uploads/upload.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe, type SwaggerDocument } from '../../../src/plugins/description/describe-swagger.ts';
import type { DescriptionOptions } from '../../../src/plugins/description/document.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { checkDocument, operationsIn } from './document-checks.ts';

type TodoOptions = NonNullable<Parameters<typeof todo>[0]>;

/** The document of the reference (A.8), unchanged. */
const REFERENCE = JSON.parse(readFileSync(new URL('reference-document.json', import.meta.url), 'utf8')) as ReturnType<
  typeof describe
>;
const DESCRIPTION = 'Keeps a list of to-do items. Errors are problem details (application/problem+json).';
const DEFAULTS: DescriptionOptions = { title: 'To-do API', description: DESCRIPTION };

const composed = (...controllers: readonly Controller[]) => composedRoutes(routesOf(...controllers));
const todoRoutes = (options?: TodoOptions, all?: OperationOptions) => composedRoutes(todo(options).routes!, all);
const written = (document: object): string => JSON.stringify(document);

const withoutExamples = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (name, member) => (/^(?:x-)?examples?$/.test(name) ? undefined : member)));

test('A.8 – the document of the reference, plus the statuses, headers, texts and examples of D14', () => {
  const document = withoutExamples(describe(todoRoutes(), DEFAULTS));
  checkDocument(document);
  assert.equal(Object.keys(document).join(' '), 'swagger info basePath paths definitions securityDefinitions');
  assert.deepEqual(Object.keys(document.paths), Object.keys(REFERENCE.paths));
  const { definitions } = withoutExamples(describe(todoRoutes(), { ...DEFAULTS, comments: false }));
  assert.deepEqual({ ...document, definitions, paths: {} }, { ...REFERENCE, paths: {} });
  const named = operationsIn(REFERENCE).map(([path, method, entry]) => [`${method} ${path}`, entry] as const);
  const expected = new Map(named);
  for (const [path, method, described] of operationsIn(document)) {
    const { responses, description: _, ...rest } = described as typeof described & { readonly description?: string };
    const { responses: wanted, ...wantedRest } = expected.get(`${method} ${path}`)!;
    assert.equal(written(rest), written(wantedRest), 'the members and their order');
    for (const [status, response] of Object.entries(wanted)) {
      const { description } = Number(status) >= 400 ? response : responses[status]!;
      assert.deepEqual(withoutETag({ ...responses[status]!, description }), response, `${method} ${path} ${status}`);
    }
  }
});

function withoutETag(response: object): object {
  const { headers, ...rest } = response as { readonly headers?: object };
  const { ETag: _, ...others } = (headers ?? {}) as Readonly<Record<string, unknown>>;
  return Object.keys(others).length > 0 ? { ...rest, headers: others } : rest;
}

/** The statuses of each operation and the headers of each status. `?` marks an optional header, in 3.1 only. */
type Headers = Readonly<Record<string, readonly string[]>>;
const LATER = { 507: ['Retry-After'] };
const STATUSES: readonly (readonly [id: string, statuses: string, headers: Headers])[] = [
  ['ApiTodoGet', '200 304 412', { 200: ['ETag'], 304: ['ETag'] }],
  ['ApiTodoPost', '201 400 413 415 507', { 201: ['Location', 'ETag'], 415: ['Accept?', 'Accept-Encoding?'], ...LATER }],
  ['ApiTodoByIdGet', '200 304 404 412', { 200: ['ETag'], 304: ['ETag'] }],
  ['ApiTodoByIdPut', '204 400 404 412 413 415 507', { 204: ['ETag?'], 415: ['Accept?', 'Accept-Encoding?'], ...LATER }],
  ['ApiTodoByIdDelete', '204 404 412', {}],
  [
    'ApiTodoByIdPatch',
    '204 400 404 412 413 415 507',
    { 204: ['ETag'], 415: ['Accept?', 'Accept-Patch?', 'Accept-Encoding?'], ...LATER },
  ],
];

for (const [format, document] of [
  ['2.0', describe(todoRoutes(), DEFAULTS)],
  ['3.1', describeOpenApi(todoRoutes(), DEFAULTS)],
] as const) {
  test(`D14 – ${format}: every status and header of every operation`, () => {
    const described = operationsIn(document).map(([, , { operationId, responses }]) => {
      const headers = Object.entries(responses as Record<string, { headers?: object }>).flatMap(([status, response]) =>
        response.headers ? [[status, headersOf(response.headers)]] : [],
      );
      return [operationId, Object.keys(responses).join(' '), Object.fromEntries(headers)];
    });
    assert.deepEqual(described, format === '3.1' ? STATUSES : JSON.parse(JSON.stringify(STATUSES).replaceAll('?', '')));
  });

  function headersOf(headers: object): string[] {
    if (format === '2.0') return Object.keys(headers);
    const { components } = document as ReturnType<typeof describeOpenApi>;
    return Object.entries(headers as Readonly<Record<string, { $ref?: string; required?: true }>>).map(
      ([name, header]) => {
        const { required } =
          header.$ref === undefined ? header : components.headers[header.$ref.slice('#/components/headers/'.length)]!;
        return required ? name : `${name}?`;
      },
    );
  }
}

const SILENT: DescriptionOptions = { ...DEFAULTS, comments: false };

/** The path and the id of every operation of a document. */
const idsIn = (document: Parameters<typeof operationsIn>[0]) =>
  operationsIn(document).map(([path, , { operationId }]) => `${path} ${operationId}`);

test('D11 – annotated: the name is required and not nullable', () => {
  const { definitions } = withoutExamples(describe(todoRoutes({ model: 'annotated' }), SILENT));
  const properties =
    '{"key":{"type":"string"},"name":{"type":"string"},"isComplete":{"default":false,"type":"boolean"}}';
  const schemas = `{"TodoItem":{"required":["name"],"type":"object","properties":${properties}}}`;
  assert.equal(written(definitions), schemas);
  const { components } = withoutExamples(describeOpenApi(todoRoutes({ model: 'annotated' }), SILENT));
  assert.deepEqual(components.schemas['TodoItem'], definitions['TodoItem']);
});

test('D1 – PascalCase → properties and required names, except those of a problem', () => {
  const naming = 'PascalCase';
  const { definitions } = withoutExamples(describe(todoRoutes({ model: 'annotated', naming }, { naming }), SILENT));
  assert.deepEqual(definitions['TodoItem'], {
    type: 'object',
    required: ['Name'],
    properties: { Key: { type: 'string' }, Name: { type: 'string' }, IsComplete: { type: 'boolean', default: false } },
  });
  const { schemas } = describeOpenApi(todoRoutes({ naming }, { naming }), DEFAULTS).components;
  assert.deepEqual(Object.keys(schemas['TodoItem']!['properties'] as object), ['Key', 'Name', 'IsComplete']);
  const ofProblem = Object.keys(schemas['Problem']!['properties'] as object);
  assert.equal(ofProblem.join(' '), 'type title status detail instance requestId traceId errors');
});

const ABSENT = 'An absent `name` becomes null. An absent `isComplete` becomes false.';
const MALFORMED = 'The body is absent, is not JSON';
/** Parts of the remarks of each operation, and of the text of its 400. */
for (const [id, options, remarks, refused = ''] of [
  ['ApiTodoGet', {}, 'in the order of their creation'],
  ['ApiTodoPost', {}, `The service assigns the \`key\`. ${ABSENT}`, MALFORMED],
  ['ApiTodoByIdGet', {}, 'case-sensitive'],
  ['ApiTodoByIdPut', {}, '`key` must equal the key in the path', 'its key differs from the key in the path'],
  ['ApiTodoByIdPut', {}, ABSENT, MALFORMED],
  ['ApiTodoByIdPatch', {}, ABSENT, MALFORMED],
  [
    'ApiTodoByIdPatch',
    { model: 'annotated' },
    'A body without `name` is refused. An absent `isComplete` becomes false.',
  ],
  [
    'ApiTodoByIdPatch',
    { naming: 'PascalCase' },
    'An absent `Name` becomes null. An absent `IsComplete` becomes false.',
  ],
  ['ApiTodoByIdDelete', {}, 'answered with 404'],
] as const) {
  test(`§2.2, D14 – ${id}, ${JSON.stringify(options)} → its remarks contain "${remarks}", its 400 "${refused}"`, () => {
    for (const make of [describe, describeOpenApi]) {
      const described = operationsIn(make(todoRoutes(options), DEFAULTS)).find(
        ([, , entry]) => entry.operationId === id,
      )!;
      const { description, responses } = described[2] as (typeof described)[2] & { readonly description: string };
      assert.ok(description.includes(remarks), description);
      const { description: ofRefusal = '' } = responses['400'] ?? {};
      assert.ok(ofRefusal.includes(refused), ofRefusal);
    }
  });
}

test('D14 – comments → every property has a text; without comments no property has a text, and the examples stay', () => {
  for (const make of [describe, describeOpenApi]) {
    const [commented, silent] = [DEFAULTS, SILENT].map((options) => {
      const document = make(todoRoutes(), options);
      const { TodoItem } = 'components' in document ? document.components.schemas : document.definitions;
      return Object.values(TodoItem!['properties'] as Record<string, Record<string, unknown>>);
    });
    assert.ok(commented!.every(({ description }) => typeof description === 'string'));
    const plain = commented!.map(({ description: _, ...property }) => property);
    assert.deepEqual(silent, plain);
  }
});

test('D14 – the conditions and the ETag of an operation → headers in 3.1, absent in 2.0', () => {
  const { paths, components } = describeOpenApi(todoRoutes(), DEFAULTS);
  const conditions = operationsIn({ paths }).map(([, , { operationId, parameters }]) => [
    operationId,
    ...parameters.flatMap(({ in: place, name, ...rest }) => (place === 'header' ? `${name} ${toldIn(rest)}` : [])),
  ]);
  assert.deepEqual(conditions, [
    ['ApiTodoGet', 'If-Match 412', 'If-None-Match 304'],
    ['ApiTodoPost'],
    ['ApiTodoByIdGet', 'If-Match 412', 'If-None-Match 304'],
    ['ApiTodoByIdPut', 'If-Match 412', 'If-None-Match 412'],
    ['ApiTodoByIdDelete', 'If-Match 412', 'If-None-Match 412'],
    ['ApiTodoByIdPatch', 'If-Match 412', 'If-None-Match 412'],
  ]);
  const tags = operationsIn({ paths }).flatMap(([, , { responses }]) =>
    Object.values(responses).flatMap(({ headers = {} }) => ('ETag' in headers ? [headers.ETag] : [])),
  );
  const [list, item, put] = ['ETag', 'ETag2', 'ETag3'].map((name) => ({ $ref: `#/components/headers/${name}` }));
  assert.deepEqual(tags, [list, list, item, item, item, put, item]);
  assert.match(String(components.headers['ETag2']!.description), /tag of the item/);
  assert.ok(!written(describe(todoRoutes(), DEFAULTS)).includes('"in":"header"'));
});
const toldIn = (parameter: object): string =>
  /\d{3}/.exec((parameter as { readonly description: string }).description)![0];

test('3.1 – a header whose name is invalid as a component name → the component has another name', () => {
  const headers = { 'X~Left': { type: 'integer', description: 'How many' } } as const;
  const operations = [read('', { responses: { 204: { headers } } })];
  const { paths, components } = describeOpenApi(composed({ name: 'A', path: 'a', operations }), DEFAULTS);
  assert.deepEqual(paths['/a']!.get!.responses['204']!.headers, { 'X~Left': { $ref: '#/components/headers/X_Left' } });
  assert.deepEqual(Object.keys(components.headers), ['X_Left']);
});

test('D14 – a condition that an operation declares itself is described once', () => {
  const headers = { 'if-match': { type: 'string', description: 'Mine', required: true } };
  const operations = [read('', { headers, responses: { 204: {}, 412: {} } })];
  const { paths } = describeOpenApi(composed({ name: 'A', path: 'a', operations }), DEFAULTS);
  const described = paths['/a']!.get!.parameters.map(({ name, description }) => [name, description]);
  assert.deepEqual(described, [['if-match', 'Mine']]);
});

test('D17 – without comments → standard phrases, without summary and remarks', () => {
  for (const make of [describe, describeOpenApi]) {
    const document = make(todoRoutes(), SILENT);
    checkDocument(document);
    const phrases = operationsIn(document).flatMap(([, , { responses }]) =>
      Object.entries(responses).map(([status, { description }]) => `${status} ${description}`),
    );
    const statuses = ['201', '204', '304', '400', '404', '412', '413', '415', '507'];
    assert.deepEqual([...new Set(phrases)].sort(), [
      '200 Success',
      ...statuses.map((status) => `${status} ${statusText(Number(status))}`),
    ]);
    for (const [, , described] of operationsIn(document))
      assert.ok(!('summary' in described || 'description' in described));
  }
});

test('§2.2 – without comments: parameters and headers keep their texts', () => {
  const [plain, silent] = [DEFAULTS, SILENT].map((options) => describe(todoRoutes(), options));
  const textsOf = ({ paths }: SwaggerDocument) =>
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(({ parameters, responses }) => [parameters, Object.values(responses).map(({ headers }) => headers)]);
  assert.deepEqual(textsOf(silent!), textsOf(plain!));
  assert.match(written(textsOf(silent!)), /"The key of the item\."/);
  const [openApi, silentOpenApi] = [DEFAULTS, SILENT].map((options) => describeOpenApi(todoRoutes(), options));
  assert.deepEqual(silentOpenApi!.components.headers, openApi!.components.headers);
  const { parameters, requestBody } = silentOpenApi!.paths['/api/todo/{id}']!.put!;
  assert.deepEqual([parameters[0]!.description, requestBody!.description], ['The key of the item.', 'The item.']);
});

test('§2.2 – a parameter without a text → an empty one in 2.0, none in 3.1', () => {
  const routes = composed(controller('A', 'a', '{id}'));
  const swagger = written(describe(routes, DEFAULTS).paths['/a/{id}']!.get!.parameters);
  assert.equal(swagger, '[{"name":"id","in":"path","description":"","required":true,"type":"string"}]');
  const openApi = written(describeOpenApi(routes, DEFAULTS).paths['/a/{id}']!.get!.parameters);
  assert.equal(openApi, '[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}]');
});

const DETAILS = {
  description: 'D',
  termsOfService: 'https://a.example/terms',
  contact: { name: 'N', url: 'https://a.example', email: 'a@a.example' },
  license: { name: 'MIT', url: 'https://a.example/mit' },
};
const NOTHING = { version: '', description: '', termsOfService: '' };
for (const [what, options, info, basePath = '/'] of [
  ['nothing', { description: undefined }, { version: 'v1', title: 'T' }],
  ['everything', { version: '2', ...DETAILS }, { version: '2', title: 'T', ...DETAILS }],
  [
    'empty members',
    { ...NOTHING, contact: { name: '', email: undefined }, license: { name: '', url: '' } },
    { version: 'v1', title: 'T' },
  ],
  [
    'a part of the contact',
    { contact: { email: 'a@a.example', url: '' } },
    { version: 'v1', title: 'T', contact: { email: 'a@a.example' } },
  ],
  ['a base path', { basePath: '/todo' }, { version: 'v1', title: 'T' }, '/todo'],
  ['an empty base path', { basePath: '' }, { version: 'v1', title: 'T' }],
] as const) {
  test(`D13, D16 – info with ${what}`, () => {
    const swagger = describe([], { title: 'T', ...options });
    const openApi = describeOpenApi([], { title: 'T', ...options });
    assert.equal(written(swagger.info), written(info));
    assert.equal(written(openApi.info), written(info));
    assert.equal(swagger.basePath, basePath);
    assert.deepEqual(openApi.servers, [{ url: basePath }]);
  });
}

test('3.1 – terms of service that are not a URL → appended to `description`', () => {
  const { info } = describeOpenApi([], { title: 'T', description: 'D', termsOfService: 'Be kind' });
  assert.deepEqual(info, { version: 'v1', title: 'T', description: 'D\n\nTerms of service: Be kind' });
});

test('a license without a name → throws', () => {
  assert.throws(() => describe([], { title: 'T', license: { url: 'https://a.example' } }), {
    message: /"https:\/\/a\.example": it has no name/,
  });
});

test('3.1 – null in a type list, problems in full, headers and schemas by reference', () => {
  const document = describeOpenApi(todoRoutes(), DEFAULTS);
  checkDocument(document);
  const { responses, requestBody } = document.paths['/api/todo']!.post!;
  const { description: _, ...nameOf } = (document.components.schemas['TodoItem'] as any).properties.name;
  assert.deepEqual(nameOf, { type: ['string', 'null'], examples: ['Buy milk'] });
  assert.deepEqual(requestBody, {
    description: 'The item.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/TodoItem' } } },
    required: true,
  });
  const ofSchema = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });
  assert.deepEqual(responses['201']!.content, { 'application/json': ofSchema('TodoItem') });
  assert.deepEqual(responses['201']!.headers!['Location'], { $ref: '#/components/headers/Location' });
  assert.deepEqual(responses['400']!.content, { 'application/problem+json': ofSchema('Problem') });
  const list = document.paths['/api/todo']!.get!.responses;
  assert.deepEqual(Object.keys(list['200']!.content!), ['text/plain', 'application/json', 'text/json']);
  assert.equal(list['304']!.content, undefined);
});

const Thing = schema('Thing', {
  type: 'object',
  properties: { size: { type: 'integer', format: 'int64', description: 'How large', default: 1 } },
});
const controller = (name: string, path: string, ...paths: readonly string[]): Controller => {
  return { name, path, operations: paths.map((one) => read(one, { responses: { 200: { schema: Thing } } })) };
};

for (const [clause, controllers, described] of [
  [
    'description – a path that an earlier route has is not described twice',
    [controller('A', 'a', '', '{id?}')],
    '/a AGet, /a/{id} AByIdGet',
  ],
  [
    'A.6 a stable sort by tag',
    [controller('B', 'b', '', '{id}'), controller('A', 'a', ''), controller('B', 'c', '')],
    '/a AGet, /b BGet, /b/{id} BByIdGet, /c CGet',
  ],
] as const) {
  test(clause, () => {
    for (const make of [describe, describeOpenApi]) {
      const document = make(composed(...controllers), DEFAULTS);
      checkDocument(document);
      assert.equal(idsIn(document).join(', '), described);
    }
  });
}

test("A.6 – the order of a schema's members; without comments, properties have no texts", () => {
  const routes = composed(controller('A', 'a', ''));
  assert.equal(
    written(describe(routes, DEFAULTS).definitions),
    '{"Thing":{"type":"object","properties":' +
      '{"size":{"format":"int64","description":"How large","default":1,"type":"integer"}}}}',
  );
  const silent = written(describe(routes, { ...DEFAULTS, comments: false }).definitions);
  assert.equal(
    silent,
    '{"Thing":{"type":"object","properties":{"size":{"format":"int64","default":1,"type":"integer"}}}}',
  );
});

test('a route without an operation → not described', () => {
  assert.deepEqual(
    describe([plain('plain'), ...composed(controller('A', 'a', ''))], DEFAULTS).paths,
    describe(composed(controller('A', 'a', '')), DEFAULTS).paths,
  );
});

test('D14 – paths that differ only in the names of parameters → one path item, with the names of the first', () => {
  const operations = [
    read('{id}', { parameters: { id: textOf('id') } }),
    read('{key}', { method: 'DELETE', parameters: { key: textOf('key') } }),
    read('{name?}', { method: 'PUT', parameters: { name: textOf('name') } }),
  ];
  const routes = composed({ name: 'A', path: 'items', operations });
  for (const document of [describe(routes, DEFAULTS), describeOpenApi(routes, DEFAULTS)]) {
    checkDocument(document);
    assert.deepEqual(
      operationsIn(document).map(([path, , { operationId, parameters }]) => {
        const [parameter] = parameters as readonly { readonly name: string; readonly description?: string }[];
        return [path, operationId, parameter?.name, parameter?.description];
      }),
      [
        ['/items/{id}', 'ItemsByIdGet', 'id', 'It is id'],
        ['/items/{id}', 'ItemsByNamePut', 'id', 'It is name'],
        ['/items/{id}', 'ItemsByKeyDelete', 'id', 'It is key'],
        ['/items', 'ItemsPut', undefined, undefined],
      ],
    );
  }
});

test('D14 – an optional parameter whose shorter path belongs to an earlier operation → the earlier operation is described', () => {
  const [all, some] = [read('', { id: 'all' }), read('{id?}', { id: 'some' })];
  const routes = composed({ name: 'A', path: 'a', operations: [all, some] });
  for (const make of [describe, describeOpenApi])
    assert.deepEqual(idsIn(make(routes, DEFAULTS)), ['/a all', '/a/{id} some']);
  const reversed = composed({ name: 'A', path: 'a', operations: [some, all] });
  for (const make of [describe, describeOpenApi])
    assert.throws(() => make(reversed, DEFAULTS), /"GET a\/\{id\?\}" and "GET a": both are "GET \/a" in a description/);
});

const textOf = (name: string) => ({ type: 'string', description: `It is ${name}` }) as const;

test('D15 – two operations with the same operationId → throws and names both', () => {
  const [first, other] = [controller('A', '', 'apiTodo'), controller('A', 'api', 'todo')];
  assert.throws(() => composed(first!, other!), /"GET apiTodo" and "GET api\/todo"/);
  for (const make of [describe, describeOpenApi])
    assert.throws(
      () => make([...composed(first!), ...composed(other!)], DEFAULTS),
      /"GET apiTodo" and "GET api\/todo"/,
    );
});

test('two different schemas with the same name → throws', () => {
  const Other = schema('Thing', { type: 'string' });
  const other: Controller = {
    name: 'B',
    path: 'b',
    operations: [read('', { responses: { 200: { schema: Other } } })],
  };
  assert.throws(() => describe(composed(controller('A', 'a', ''), other), DEFAULTS), /two schemas named "Thing"/);
});

const MARKED = {
  type: 'object',
  required: ['id', 'text', 'secret'],
  properties: {
    id: { type: 'string', readOnly: true },
    text: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
  },
} as const;
const NOTE = schema('Note', { type: 'object', properties: { inner: MARKED } });
const Notes = { type: 'array', items: NOTE } as const;
const onlyBody = { method: 'PUT', body: NOTE, responses: { 204: {} } };
const onlyReply = { responses: { 200: { schema: Notes } } };
for (const [clause, operations, required] of [
  ['in a body', [onlyBody], ['text', 'secret']],
  ['in a reply', [onlyReply], ['id', 'text']],
  ['in a body and a reply', [{ ...onlyBody, ...onlyReply }], ['text']],
  ['in a body and in a reply of another operation', [onlyReply, onlyBody], ['text']],
  [
    'in a body of several kinds',
    [{ ...onlyBody, body: byMediaType({ 'application/json': Notes, 'text/plain': bytes('text/plain') }) }],
    ['text', 'secret'],
  ],
] as const)
  test(`D130 – required members that are readOnly and writeOnly, ${clause} → 3.1 requires ${required.join(', ')}`, () => {
    const routes = composed({ name: 'B', path: 'b', operations: operations.map((more) => read('', more)) });
    const requiredIn = (schemas: object) => (schemas as any).Note.properties.inner.required;
    assert.deepEqual(requiredIn(describeOpenApi(routes, DEFAULTS).components.schemas), required);
    assert.deepEqual(requiredIn(describe(routes, DEFAULTS).definitions), ['text']);
  });

for (const [first, second] of [
  ['item', 'Item'],
  ['a-b', 'a_b'],
  ['a.b', 'AB'],
  ['a', '_A'],
  ['problem', 'Problem'],
] as const)
  test(`D129 – the schemas "${first}" and "${second}" → both documents throw`, () => {
    const operations = [first, second].map((name, at) =>
      read(String(at), { responses: { 200: { schema: schema(name, { type: 'string' }) } } }),
    );
    const routes = composed({ name: 'B', path: 'b', operations });
    for (const make of [describe, describeOpenApi])
      assert.throws(() => make(routes, DEFAULTS), {
        message:
          `Cannot describe the schemas "${first}" and "${second}": both are the same name in a generated client, ` +
          'which ignores case, ".", "_" and "-"; rename one of them',
      });
  });

for (const name of ['2fa', '.a', '-', '', 'ä', 'a b'])
  test(`D129 – a schema named "${name}" → throws, and the message lists the allowed characters`, () =>
    assert.throws(() => schema(name, { type: 'string' }), {
      message:
        `Cannot name a schema "${name}": it is not a definition name; ` +
        'use a letter, then letters, digits, ".", "_" and "-" only',
    }));

const tagged = (name: string, description?: string): Controller => ({
  name,
  path: `${name}${description?.length ?? ''}`,
  ...(description !== undefined && { description }),
  operations: [read('')],
});
for (const [what, controllers, swagger, openApi, options] of [
  ['without a text', [tagged('B'), tagged('A')], undefined, [{ name: 'A' }, { name: 'B' }]],
  [
    'of which only one has a text',
    [tagged('B'), tagged('A', 'Of A'), tagged('A')],
    [{ name: 'B' }, { name: 'A', description: 'Of A' }],
    [{ name: 'B' }, { name: 'A', description: 'Of A' }],
  ],
  ['with a text, without comments', [tagged('B', 'x'), tagged('A')], undefined, undefined, { comments: false }],
] as const)
  test(`D98 – controllers ${what} → the tags of both documents, in the order of the controllers, if any has a text`, () => {
    const routes = composed(...controllers);
    const documents = [describe, describeOpenApi].map((write) => write(routes, { ...DEFAULTS, ...options }));
    assert.deepEqual(documents[0]!.tags, swagger);
    assert.deepEqual(documents[1]!.tags, openApi ?? [{ name: 'A' }, { name: 'B' }]);
  });

test('D98 – two texts for one tag → throws', () => {
  const routes = composed(tagged('A', 'x'), tagged('A', 'other'));
  assert.throws(() => describe(routes, DEFAULTS), /Cannot describe the tag "A": two controllers of this name have/);
});
