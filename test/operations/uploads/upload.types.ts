/**
 * Declarations of bodies that are not JSON and must not compile (D74): `@ts-expect-error` is an error if the line after
 * it compiles.
 *
 * Nothing here runs; `npm run typecheck` reads it.
 */
import type { Readable } from 'node:stream';
import { noContent, operation, type ParameterDeclaration, type Parameters } from '../../../src/index.ts';
import { byMediaType, byteStream, bytes, form } from '../../../src/operations/uploads/upload.ts';

const rest = { method: 'POST', path: '', responses: { 204: {} } } as const;
/** Compiles for a value of exactly this type. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
const same = <_ extends true>(): void => {};

operation({
  ...rest,
  body: bytes('image/png', 'image/*'),
  handle({ body }) {
    same<Same<typeof body, Uint8Array>>();
    return noContent();
  },
});
operation({
  ...rest,
  body: byteStream({ mediaTypes: ['*/*'], maxBytes: 2 ** 32 }),
  handle({ body }) {
    same<Same<typeof body, Readable>>();
    return noContent();
  },
});
operation({
  ...rest,
  body: form(
    {
      title: { type: 'string', maxLength: 80, required: true },
      count: { type: 'integer', default: 3 },
      kind: { type: 'string', enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
      photo: { type: 'file', required: true, mediaTypes: ['image/*'], maxBytes: 1000, description: 'It' },
      more: { type: 'file' },
      files: { type: 'array', items: { type: 'file', mediaTypes: ['image/*'], maxBytes: 5 }, maxItems: 5 },
      needed: { type: 'array', items: { type: 'file' }, required: true, description: 'They' },
    },
    { maxBytes: 5000 },
  ),
  handle({ body }) {
    same<Same<typeof body.title, string>>();
    same<Same<typeof body.count, number>>();
    same<Same<typeof body.kind, 'a' | 'b' | undefined>>();
    same<Same<typeof body.tags, readonly number[] | undefined>>();
    same<Same<typeof body.photo, File>>();
    same<Same<typeof body.more, File | undefined>>();
    same<Same<typeof body.files, readonly File[] | undefined>>();
    same<Same<typeof body.needed, readonly File[]>>();
    // @ts-expect-error A field that is not declared
    void body.colour;
    return noContent();
  },
});
operation({
  ...rest,
  body: byMediaType({
    'application/json': { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    'multipart/form-data': form({ count: { type: 'integer', required: true } }),
    'text/csv': bytes('text/*'),
    'video/*': byteStream('video/*'),
  }),
  handle({ body }) {
    same<Same<typeof body.type, 'application/json' | 'multipart/form-data' | 'text/csv' | 'video/*'>>();
    if (body.type === 'application/json') same<Same<typeof body.value.title, string>>();
    else if (body.type === 'multipart/form-data') same<Same<typeof body.value.count, number>>();
    else if (body.type === 'text/csv') same<Same<typeof body.value, Uint8Array>>();
    else same<Same<typeof body.value, Readable>>();
    // @ts-expect-error The value of a body whose kind is not known yet
    void body.value.title;
    return noContent();
  },
});
// @ts-expect-error No media type
bytes();
// @ts-expect-error A media type without a subtype
bytes('image');
// @ts-expect-error A limit without media types
byteStream({ maxBytes: 5 });
// @ts-expect-error A limit that is not a number
byteStream({ mediaTypes: ['a/b'], maxBytes: '5 MB' });
// @ts-expect-error A member that bodies do not have
byteStream({ mediaTypes: ['a/b'], limit: 5 });
// @ts-expect-error A field without a type
form({ a: {} });
// @ts-expect-error A keyword for strings only
form({ a: { type: 'file', maxLength: 3 } });
// @ts-expect-error A file as a default
form({ a: { type: 'file', default: 'a' } });
// @ts-expect-error A media type for a text
form({ a: { type: 'string', mediaTypes: ['text/plain'] } });
// @ts-expect-error A media type without a subtype
form({ a: { type: 'file', mediaTypes: ['image'] } });
// @ts-expect-error A required file in a list
form({ a: { type: 'array', items: { type: 'file', required: true } } });
// @ts-expect-error A limit of a file on the list
form({ a: { type: 'array', items: { type: 'file' }, maxBytes: 5 } });
// @ts-expect-error A separator in a list of files
form({ a: { type: 'array', items: { type: 'file' }, collectionFormat: 'csv' } });
// @ts-expect-error A number of files on one file
form({ a: { type: 'file', maxItems: 2 } });
// @ts-expect-error A list of files in a query
operation({ ...rest, query: { a: { type: 'array', items: { type: 'file' } } }, handle: () => noContent() });
// @ts-expect-error A limit that forms do not have
form({ a: { type: 'file' } }, { maxFiles: 3 });

// @ts-expect-error A media type without a subtype
byMediaType({ json: { type: 'object' } });
// @ts-expect-error Neither a schema nor a body
byMediaType({ 'application/json': 'object' });

// A type that is not literal stays unchanged.
export const ofUntyped = (one: ParameterDeclaration, several: Parameters): readonly unknown[] => [
  form({ a: one, b: { ...one, required: true }, c: { type: 'file' } }),
  form(several),
];
