import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnBody } from '../../../src/operations/operation/own-body.ts';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { byMediaType, byteStream, bytes, form } from '../../../src/operations/uploads/upload.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';

const declared = (path: string, body: OwnBody) =>
  read(path, { method: 'POST', body, bodyParameter: { name: 'upload', description: 'What is sent' } });
const FIELDS = {
  title: { type: 'string', maxLength: 80, required: true, description: 'The title', example: 'A' },
  count: { type: 'integer', default: 3, deprecated: true },
  tags: { type: 'array' },
  ids: { type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
  photo: { type: 'file', required: true, mediaTypes: ['image/*', 'text/plain'], maxBytes: 5, description: 'A photo' },
  more: { type: 'file' },
} as const;
const operations = [
  declared('bytes', bytes('image/png', 'image/*')),
  declared('stream', byteStream({ mediaTypes: ['*/*'], maxBytes: 10 })),
  declared('form', form(FIELDS)),
  declared(
    'kinds',
    byMediaType({
      'application/json': schema('Kind', { type: 'object', properties: { title: { type: 'string' } } }),
      'multipart/form-data': form(FIELDS),
      'image/*': bytes('image/*'),
    }),
  ),
  declared('formFirst', byMediaType({ 'multipart/form-data': form(FIELDS), 'text/csv': bytes('text/csv') })),
  declared('plain', form({ ids: { type: 'array', collectionFormat: 'csv' } })),
  declared(
    'lists',
    form({
      photos: {
        type: 'array',
        items: { type: 'file', mediaTypes: ['image/*'], maxBytes: 5 },
        maxItems: 3,
        required: true,
        description: 'Photos',
      },
      more: { type: 'array', items: { type: 'file' } },
    }),
  ),
];
const routes = composedRoutes(routesOf({ name: 'Uploads', path: 'api', operations }));
const swagger = describe(routes, { title: 'A test' }).paths;
const openApi = describeOpenApi(routes, { title: 'A test' }).paths;
const binary = { type: 'string', format: 'binary' };

for (const [path, mediaTypes] of [
  ['/api/bytes', ['image/png', 'image/*']],
  ['/api/stream', ['*/*']],
] as const) {
  test(`D74 – ${path} in both documents → binary, with its media types`, () => {
    const { consumes, parameters } = swagger[path]!.post!;
    assert.deepEqual(consumes, mediaTypes);
    const body = { name: 'upload', in: 'body', description: 'What is sent', required: true, schema: binary };
    assert.deepEqual(parameters, [body]);
    assert.deepEqual(openApi[path]!.post!.requestBody, {
      description: 'What is sent',
      content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: binary }])),
      required: true,
    });
  });
}

test('D74 – a form in Swagger 2.0 → parameters in formData, and files', () => {
  const { consumes, parameters } = swagger['/api/form']!.post!;
  assert.deepEqual(consumes, ['multipart/form-data']);
  const place = { in: 'formData', description: '' };
  const list = { type: 'array', items: { type: 'string' } };
  const title = { type: 'string', maxLength: 80 };
  assert.deepEqual(parameters, [
    { name: 'title', ...place, description: 'The title', required: true, ...title, 'x-example': 'A' },
    { name: 'count', ...place, type: 'integer', default: 3 },
    { name: 'tags', ...place, ...list, collectionFormat: 'multi' },
    { name: 'ids', ...place, type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
    { name: 'photo', in: 'formData', description: 'A photo', required: true, type: 'file' },
    { name: 'more', ...place, type: 'file' },
  ]);
  const plain = swagger['/api/plain']!.post!;
  assert.deepEqual(plain.consumes, ['application/x-www-form-urlencoded', 'multipart/form-data']);
  assert.deepEqual(plain.parameters, [{ name: 'ids', ...place, ...list, collectionFormat: 'csv' }]);
});

test('D74 – a form in OpenAPI 3.1 → an object, with the media types of its files and the style of its lists', () => {
  assert.deepEqual(openApi['/api/form']!.post!.requestBody, {
    description: 'What is sent',
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['title', 'photo'],
          properties: {
            title: { type: 'string', maxLength: 80, examples: ['A'], description: 'The title' },
            count: { type: 'integer', default: 3, deprecated: true },
            tags: { type: 'array', items: { type: 'string' } },
            ids: { type: 'array', items: { type: 'integer' } },
            photo: { ...binary, description: 'A photo' },
            more: binary,
          },
        },
        encoding: {
          tags: { style: 'form', explode: true },
          ids: { style: 'pipeDelimited', explode: false },
          photo: { contentType: 'image/*, text/plain' },
        },
      },
    },
    required: true,
  });
  const body = {
    schema: { type: 'object', properties: { ids: { type: 'array', items: { type: 'string' } } } },
    encoding: { ids: { style: 'form', explode: false } },
  };
  assert.deepEqual(openApi['/api/plain']!.post!.requestBody!.content, {
    'application/x-www-form-urlencoded': body,
    'multipart/form-data': body,
  });
});

test('D128 – lists of files in Swagger 2.0 → one file each, and a sentence with the number', () => {
  const { consumes, parameters } = swagger['/api/lists']!.post!;
  assert.deepEqual(consumes, ['multipart/form-data']);
  const sentence = (count: string) => `The form may have ${count} of this name. Swagger 2.0 can describe only one.`;
  const place = { in: 'formData', type: 'file' };
  assert.deepEqual(parameters, [
    { name: 'photos', ...place, description: `Photos\n\n${sentence('up to 3 files')}`, required: true },
    { name: 'more', ...place, description: sentence('several files') },
  ]);
});

test('D128 – lists of files in OpenAPI 3.1 → lists, with the media types of each file', () => {
  assert.deepEqual(openApi['/api/lists']!.post!.requestBody!.content, {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['photos'],
        properties: {
          photos: { type: 'array', items: binary, maxItems: 3, description: 'Photos' },
          more: { type: 'array', items: binary },
        },
      },
      encoding: { photos: { contentType: 'image/*' } },
    },
  });
});

test('D74 – several kinds of body in OpenAPI 3.1 → each with a separate schema', () => {
  const { content } = openApi['/api/kinds']!.post!.requestBody!;
  assert.deepEqual(content, {
    'application/json': { schema: { $ref: '#/components/schemas/Kind' } },
    'multipart/form-data': openApi['/api/form']!.post!.requestBody!.content['multipart/form-data'],
    'image/*': { schema: binary },
  });
});

test('D74 – several kinds of body in Swagger 2.0 → all are consumed, the first is described, the others are named', () => {
  const { consumes, parameters, description } = swagger['/api/kinds']!.post!;
  assert.deepEqual(consumes, ['application/json', 'multipart/form-data', 'image/*']);
  const body = { name: 'upload', in: 'body', description: 'What is sent', required: true };
  assert.deepEqual(parameters, [{ ...body, schema: { $ref: '#/definitions/Kind' } }]);
  const others = 'multipart/form-data, image/*';
  assert.equal(description, `The body may also be ${others}. Swagger 2.0 can describe only one kind of body.`);
  const formFirst = swagger['/api/formFirst']!.post!;
  assert.deepEqual(formFirst.parameters, swagger['/api/form']!.post!.parameters);
  assert.deepEqual(formFirst.consumes, ['multipart/form-data', 'text/csv']);
});

test('D69 – an upload → 400, 413 and 415 in both documents, with the headers of 415', () => {
  for (const { responses } of [swagger['/api/form']!.post!, openApi['/api/form']!.post!]) {
    assert.deepEqual(Object.keys(responses), ['204', '400', '413', '415']);
    assert.match(responses[415]!.description, /^The body has another media type, or has a content coding/);
    assert.deepEqual(Object.keys(responses[415]!.headers!), ['Accept', 'Accept-Encoding']);
  }
});
