import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PluginError } from '../../../src/core/application/plugin.ts';
import * as uploads from '../../../src/operations/uploads/upload.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';

/** Untyped: TypeScript rejects these declarations, but a program in JavaScript can contain them. */
type Loose = Record<string, (...words: unknown[]) => object>;
const { byMediaType, bytes, byteStream, form } = uploads as unknown as Loose;

const routesFor = (body: object) => composedRoutes([read('a', { method: 'POST', body })]);

const FORM = 'application/x-www-form-urlencoded';
const OPERATION = 'the operation "APost"';
const TEXT = bytes!('*/*');
const files = (each: object, members: object) =>
  form!({ photos: { type: 'array', items: { type: 'file', ...each }, ...members } });
const file = (members: object) => form!({ photo: { type: 'file', ...members } });

for (const [clause, body, message] of [
  ['no media type', bytes!(), `Cannot use the body of ${OPERATION}: it has no media types; give one such as 'image/`],
  ['an empty list', byteStream!({ mediaTypes: [] }), 'it has no media types'],
  [
    'a name without a subtype',
    bytes!('image'),
    '"image" is not a media type; give one such as \'image/png\', or a range',
  ],
  ['a parameter', bytes!('text/plain; charset=utf-8'), '"text/plain; charset=utf-8" is not a media type'],
  ['a range of types', bytes!('*/png'), '"*/png" is not a media type'],
  ['a number', bytes!({ mediaTypes: [5] }), '5 is not a media type'],
  ['a limit of 0', bytes!({ mediaTypes: ['a/b'], maxBytes: 0 }), 'its "maxBytes" is 0; give a count of bytes above 0'],
  ['a limit in words', byteStream!({ mediaTypes: ['a/b'], maxBytes: '5 MB' }), 'its "maxBytes" is "5 MB"; give'],
  [
    'an unknown member',
    bytes!({ mediaTypes: ['a/b'], limit: 5 }),
    'it has the unknown member "limit"; use one of media',
  ],
  ['a form without fields', form!({}), "its form has no fields; give { name: { type: 'string' } } or others"],
  ['no kinds', byMediaType!({}), 'it has no media types'],
  ['undefined kinds', byMediaType!(undefined), 'it has no media types'],
  ['a kind without a subtype', byMediaType!({ json: { type: 'object' } }), '"json" is not a media type'],
  [
    'a schema of a type that is not JSON',
    byMediaType!({ 'a/b': { type: 'object' } }),
    'its "a/b" has a schema, which reads only JSON',
  ],
  [
    'a kind that does not read its media type',
    byMediaType!({ 'text/csv': bytes!('image/png', 'a/b') }),
    'its "text/csv" reads image/png or a/b; declare it under a media type that it reads',
  ],
  ['a file, coded as a query', byMediaType!({ [FORM]: form!({ a: { type: 'file' } }) }), 'reads multipart/'],
  ['a media type twice', byMediaType!({ 'a/b': TEXT, 'A/b': TEXT }), 'it has "A/b" twice, as media types ignore case'],
  [
    'kinds in kinds',
    byMediaType!({ 'a/b': byMediaType!({ 'a/b': bytes!('a/b') }) }),
    'list the kinds of that body here',
  ],
  ['a wrong kind', byMediaType!({ 'a/b': bytes!({ mediaTypes: ['a/b'], maxBytes: 0 }) }), 'its "maxBytes" is 0'],
  [
    'a wrong schema of a kind',
    byMediaType!({ 'application/json': { type: 'string', minimum: 1 } }),
    'Cannot use the schema of the body of the operation "APost": it has the keyword "minimum"',
  ],
  ['undefined fields', form!(undefined), 'its form has no fields'],
  ['a name twice', form!({ name: { type: 'string' }, NAME: { type: 'file' } }), 'its form has "NAME" twice'],
  ['a limit of a form', form!({ a: { type: 'string' } }, { maxBytes: -1 }), 'its "maxBytes" is -1'],
  [
    'a field that is null',
    form!({ a: null }),
    `Cannot use the form field "a" of ${OPERATION}: it is not a declaration`,
  ],
  ['a keyword of another type', form!({ a: { type: 'string', minimum: 1 } }), 'the keyword "minimum", which string'],
  [
    'a list of lists',
    form!({ a: { type: 'array', items: { type: 'array' } } }),
    'it is neither a scalar nor a list of',
  ],
  [
    'a list of files with an empty name',
    form!({ '': { type: 'array', items: { type: 'file' } } }),
    'it has no name; give one',
  ],
  [
    'a text keyword of a list of files',
    files({}, { collectionFormat: 'csv' }),
    'the unknown member "collectionFormat"',
  ],
  [
    'a limit of a list in words',
    files({}, { maxItems: 'five' }),
    'its "maxItems" is "five"; give a count of files above 0',
  ],
  ['a list of no files', files({}, { maxItems: 0 }), 'its "maxItems" is 0; give a count of files above 0'],
  [
    'a required file of a list',
    files({ required: true }, {}),
    'in its "items", it has the unknown member "required"; use one of type, mediaTypes, maxBytes',
  ],
  ['no media type of the files', files({ mediaTypes: ['image'] }, {}), 'in its "items", "image" is not a media type'],
  [
    'a limit of each file',
    files({ maxBytes: 0 }, {}),
    'in its "items", its "maxBytes" is 0; give a count of bytes above 0',
  ],
  ['a field with an empty name', form!({ '': { type: 'string' } }), 'it has no name; give one'],
  ['a file with an empty name', form!({ '': { type: 'file' } }), 'it has no name; give one'],
  [
    'a text keyword',
    file({ maxLength: 3 }),
    `Cannot use the form field "photo" of ${OPERATION}: it has the unknown member`,
  ],
  ['a `required` that is a string', file({ required: 'yes' }), 'its "required" is "yes"; give true or false'],
  ['a text that is a number', file({ description: 5 }), 'its "description" is 5; give a text'],
  ['no media type of a file', file({ mediaTypes: [] }), 'it has no media types'],
  ['a limit of a file', file({ maxBytes: 1.5 }), 'its "maxBytes" is 1.5'],
] as const) {
  test(`D74 – ${clause} → a TypeError with the operation, the place and the remedy`, () => {
    assert.throws(
      () => routesFor(body),
      (error: PluginError) => error.cause instanceof TypeError && error.message.includes(message),
    );
  });
}

for (const [clause, body] of [
  ['media types and ranges', bytes!('image/png', 'application/vnd.a+json', 'image/*', '*/*')],
  ['a stream of any size', byteStream!({ mediaTypes: ['*/*'], maxBytes: 2 ** 40 })],
  [
    'kinds',
    byMediaType!({
      [FORM]: form!({ a: { type: 'string' } }),
      'application/a+json': { type: 'string' },
      'application/json': { type: 'object' },
    }),
  ],
  ['a form', form!({ a: { type: 'array', collectionFormat: 'multi' }, b: { type: 'file' } }, { maxBytes: 1 })],
  [
    'a list of files',
    files({ mediaTypes: ['image/*'], maxBytes: 5 }, { maxItems: 2, required: true, description: 'They' }),
  ],
] as const) {
  test(`D74 – ${clause} → accepted`, () => assert.equal([...routesFor(body)].length, 1));
}
