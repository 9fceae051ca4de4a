/**
 * Declares bodies that are not JSON (D74): bytes in memory, a stream, or the fields and files of a form.
 *
 * Each is the value of a function, and carries a brand: a schema is an object too.
 */
import type { Readable } from 'node:stream';
import { type BodyHandling, type OwnBody, ownBody } from '../../operations.ts';
import { type FormFields, type FormValues, MULTIPART, type SpokenFields, URL_ENCODED } from './form.ts';
import { BYTES, FORM, STREAM } from './upload-reader.ts';

export { fileFields, textFields } from './form.ts';

/** A media type such as `image/png`, or a range of them such as `image/*`. */
export type MediaRange = `${string}/${string}`;

/** What an upload has beside its media types. */
export interface UploadOptions {
  /** In bytes. Default: `maxBody` of the service. What stays in memory must fit into its `maxBodyMemory`. */
  readonly maxBytes?: number;
}

interface Declared<Value> extends UploadOptions, OwnBody<Value> {}

/** A body that is given to the handler as a `Uint8Array`. */
export interface BytesBody extends Declared<Uint8Array> {}
/** A body that is given to the handler as a `Readable`, while it comes in. */
export interface StreamBody extends Declared<Readable> {}
/** A body that is given to the handler as an object of texts, numbers and files. */
export interface FormBody<Fields extends FormFields = FormFields> extends Declared<FormValues<Fields>> {
  readonly fields: Fields;
}

/** Tells a form from the other bodies. */
export const isForm = (body: OwnBody): body is FormBody => body[ownBody] === (FORM as BodyHandling<unknown>);

type Ranges = readonly [MediaRange, ...MediaRange[]];
/** The media types, or an object with them and a limit. */
type RangesOrOptions = Ranges | readonly [UploadOptions & { readonly mediaTypes: Ranges }];

/** What was given first is an object, or the first media type. */
function declared<Value>(handling: BodyHandling<Value>, given: RangesOrOptions): Declared<Value> {
  const [first] = given;
  const options = typeof first === 'object' ? first : { mediaTypes: given as Ranges };
  return { ...options, [ownBody]: handling };
}

/**
 * The body as bytes, once it is in.
 *
 *     body: bytes('image/png', 'image/jpeg')
 *     body: bytes({ mediaTypes: ['image/*'], maxBytes: 5_000_000 })
 */
export const bytes = (...mediaTypes: RangesOrOptions): BytesBody => declared(BYTES, mediaTypes);

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
export const byteStream = (...mediaTypes: RangesOrOptions): StreamBody => declared(STREAM, mediaTypes);

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
  [ownBody]: FORM as BodyHandling<FormValues<Fields>>,
  fields,
  mediaTypes: hasFile(fields) ? [MULTIPART] : [URL_ENCODED, MULTIPART],
});

const hasFile = (fields: FormFields): boolean => Object.values(fields ?? {}).some((field) => field?.type === 'file');
