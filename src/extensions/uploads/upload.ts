/**
 * Declares bodies that are not JSON (D74): bytes in memory, a stream, or the fields and files of a form.
 *
 * Each is the value of a function, and carries a brand: a schema is an object too.
 */
import type { Readable } from 'node:stream';
import type { FormFields, FormValues, SpokenFields } from './form-fields.ts';

/** A media type such as `image/png`, or a range of them such as `image/*`. */
export type MediaRange = `${string}/${string}`;

/** What an upload has beside its media types. */
export interface UploadOptions {
  /** In bytes. Default: `maxBody` of the service. What stays in memory must fit into its `maxBodyMemory`. */
  readonly maxBytes?: number;
}

/** The key of an upload's kind; a registered symbol is the same in every copy of this library. */
export const uploadKind: unique symbol = Symbol.for('todo-item-service upload');

interface Declared<Kind extends string> extends UploadOptions {
  readonly [uploadKind]: Kind;
  /** What is read, as `Content-Type` names it. */
  readonly mediaTypes: readonly string[];
}

/** A body that is given to the handler as a `Uint8Array`. */
export interface BytesBody extends Declared<'bytes'> {}
/** A body that is given to the handler as a `Readable`, while it comes in. */
export interface StreamBody extends Declared<'stream'> {}
/** A body that is given to the handler as an object of texts, numbers and files. */
export interface FormBody<Fields extends FormFields = FormFields> extends Declared<'form'> {
  readonly fields: Fields;
}

/** A body that is not JSON. */
export type Upload = BytesBody | StreamBody | FormBody;

/** The value that the handler is given. */
export type UploadValue<Body> =
  Body extends FormBody<infer Fields> ? FormValues<Fields> : Body extends StreamBody ? Readable : Uint8Array;

/** Tells an upload from a schema. */
export const isUpload = (body: unknown): body is Upload =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, uploadKind);

type Ranges = readonly [MediaRange, ...MediaRange[]];
/** The media types, or an object with them and a limit. */
type RangesOrOptions = Ranges | readonly [UploadOptions & { readonly mediaTypes: Ranges }];

/** What was given first is an object, or the first media type. */
function declared<Kind extends string>(kind: Kind, given: RangesOrOptions): Declared<Kind> {
  const [first] = given;
  const options = typeof first === 'object' ? first : { mediaTypes: given as Ranges };
  return { ...options, [uploadKind]: kind };
}

/**
 * The body as bytes, once it is in.
 *
 *     body: bytes('image/png', 'image/jpeg')
 *     body: bytes({ mediaTypes: ['image/*'], maxBytes: 5_000_000 })
 */
export const bytes = (...mediaTypes: RangesOrOptions): BytesBody => declared('bytes', mediaTypes);

/**
 * The body as a stream, at the pace of the handler; no more than 128 KiB of it is in memory. Read it with `pipeline` of
 * `node:stream/promises`, which fails with the problem that answers the request: 413 above the limit, 408 for a client
 * that is too slow. A content coding is refused with 415.
 *
 *     operation({
 *       method: 'PUT',
 *       path: 'copy',
 *       body: byteStream({ mediaTypes: ['application/octet-stream'], maxBytes: 2 ** 32 }),
 *       responses: { 200: { schema: { type: 'integer' } } },
 *       async handle({ body }) {
 *         let length = 0;
 *         for await (const chunk of body) length += chunk.length;
 *         return ok(length);
 *       },
 *     });
 */
export const byteStream = (...mediaTypes: RangesOrOptions): StreamBody => declared('stream', mediaTypes);

/**
 * The fields and files of a form, `multipart/form-data`. Without a file it may be sent as
 * `application/x-www-form-urlencoded` too. A field is declared as a parameter is, a list is sent by repetition; a file
 * is the `File` of the web. Fields that are not declared are ignored.
 *
 *     body: form({
 *       title: { type: 'string', maxLength: 80, required: true },
 *       photo: { type: 'file', mediaTypes: ['image/*'], maxBytes: 500_000, required: true },
 *     })
 */
export const form = <const Fields extends FormFields>(
  fields: Fields & SpokenFields<Fields>,
  options: UploadOptions = {},
): FormBody<Fields> => ({
  ...options,
  [uploadKind]: 'form',
  fields,
  mediaTypes: hasFile(fields) ? [MULTIPART] : [URL_ENCODED, MULTIPART],
});

export const MULTIPART = 'multipart/form-data';
export const URL_ENCODED = 'application/x-www-form-urlencoded';

const hasFile = (fields: FormFields): boolean => Object.values(fields ?? {}).some((field) => field?.type === 'file');
