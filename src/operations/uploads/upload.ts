/** Declares, checks and reads bodies that are not JSON: bytes in memory, streams, and forms (D74). */
import type { Readable } from 'node:stream';
import type { Context } from '../../core/http/context.ts';
import type { ContentType } from '../../core/http/headers/content-type.ts';
import { type Limits, longestBody, memoryFor } from '../../core/http/limits.ts';
import { limitedBody, noBody, streamedBody } from '../../core/http/request-body.ts';
import { ANY, FLAG, isRecord, type Kind, shapeFault, TEXT } from '../../core/options/shape.ts';
import {
  type BodyHandling,
  type FileDeclaration,
  type FileLimits,
  type FileListDeclaration,
  type FormFields,
  hasFiles,
  type OwnBody,
  ownBody,
} from '../operation/own-body.ts';
import { assertParameter, type ParameterDeclaration } from '../parameters/parameter.ts';
import { announcesBody } from '../routes/json-body.ts';
import { acceptedMediaType, type MediaRange, mayBeEmpty, rangesFault, repeated, URL_ENCODED } from './by-media-type.ts';
import { type FormType, type FormValues, formReader, formTypeOf } from './form.ts';
import { MULTIPART } from './multipart.ts';

export { type ByMediaTypeBody, byMediaType } from './by-media-type.ts';

interface UploadOptions {
  /**
   * The most bytes of the body; may exceed `maxBody`, which is the default (D74). A body in memory must fit into
   * `maxBodyMemory` of the service.
   */
  readonly maxBytes?: number | undefined;
}

/** The result of `form`, `bytes` and `byteStream`. */
interface Upload<Value = unknown> extends UploadOptions, OwnBody<Value> {}

/** A form that the handler gets as an object of texts, numbers and files. */
export interface FormBody<Fields extends FormFields = FormFields> extends Upload<FormValues<Fields>> {
  readonly fields: Fields;
}

const isForm = (body: OwnBody): body is FormBody => body[ownBody] === FORM;

type Ranges = readonly [MediaRange, ...MediaRange[]];
type RangesOrOptions = Ranges | readonly [UploadOptions & { readonly mediaTypes: Ranges }];

function declared<Value>(handling: BodyHandling<Value>, values: RangesOrOptions): Upload<Value> {
  const [first] = values;
  const options = typeof first === 'object' ? first : { mediaTypes: values as Ranges };
  return { ...options, [ownBody]: handling };
}

/**
 * Declares a body that the handler gets as bytes, after the whole body has arrived.
 *
 *     body: bytes('image/png', 'image/jpeg')
 *     body: bytes({ mediaTypes: ['image/*'], maxBytes: 5_000_000 })
 */
export const bytes = (...mediaTypes: RangesOrOptions): OwnBody<Uint8Array> => declared(BYTES, mediaTypes);

/**
 * Declares a body that the handler reads as a stream with backpressure; at most 128 KiB are in memory. Reading throws
 * the `HttpProblem` that refuses the request: 413 above the limit, 408 if the client is too slow. A request with a
 * content coding is refused with 415, because the stream is not decompressed (D74).
 *
 *     operation({
 *       method: 'PUT',
 *       path: 'copy',
 *       body: byteStream({ mediaTypes: ['application/octet-stream'], maxBytes: 2 ** 32 }),
 *       responses: { 204: {} },
 *       async handle({ body }) {
 *         for await (const chunk of body) console.log(chunk.length);
 *         return noContent();
 *       },
 *     });
 */
export const byteStream = (...mediaTypes: RangesOrOptions): OwnBody<Readable> => declared(STREAM, mediaTypes);

/**
 * Declares a form (`multipart/form-data`). A form without a file may also be sent as
 * `application/x-www-form-urlencoded`. Declare a text field like a parameter; a client sends a list by repeating the
 * field. The handler gets a file as a web `File`. Undeclared fields are ignored. A blank text is absent unless the field
 * may be an empty text (D128). A form in another charset than UTF-8 is refused with 415, a text that is not UTF-8 with
 * 400.
 *
 *     body: form({
 *       title: { type: 'string', maxLength: 80, required: true },
 *       photo: { type: 'file', mediaTypes: ['image/*'], maxBytes: 500_000, required: true },
 *       more: { type: 'array', items: { type: 'file', maxBytes: 500_000 }, maxItems: 5 },
 *     })
 */
export const form = <const Fields extends FormFields>(
  fields: Fields,
  options: UploadOptions = {},
): FormBody<Fields> => ({
  ...options,
  [ownBody]: FORM as BodyHandling<FormValues<Fields>>,
  fields,
  mediaTypes: Object.values(fields ?? {}).some(hasFiles) ? [MULTIPART] : [URL_ENCODED, MULTIPART],
});

/** Returns the parsed media type of the body, or throws an `HttpProblem`. Needs only the headers of the request. */
type Accept<Type> = (context: Context, mediaTypes: readonly string[]) => Type;

/** Returns the handling of a body in memory. The values take `copies` times as much memory as the body. */
const inMemory = <Value, Type>(
  copies: number,
  accepted: Accept<Type>,
  reader: (upload: Upload) => (bytes: Uint8Array, type: Type) => Value,
): BodyHandling<Value> => ({
  assert: assertUpload,
  assertFits: (upload, id, limits) => assertFits(upload, copies, id, limits),
  reader(upload: Upload) {
    const read = reader(upload);
    return async (context) => {
      // A client that waits for `100 Continue` gets the 415 before it sends the body.
      const announced = announcesBody(context) ? accepted(context, upload.mediaTypes) : undefined;
      const bytes = await limitedBody(context, upload.maxBytes, copies);
      if (bytes.length === 0 && !mayBeEmpty(upload, context)) throw noBody();
      return read(bytes, announced ?? accepted(context, upload.mediaTypes));
    };
  },
});

const BYTES = inMemory<Uint8Array, ContentType>(0, acceptedMediaType, () => (bytes) => bytes);

/** The files and texts of a form take twice as much memory as the body. */
const FORM = inMemory<FormValues<FormFields>, FormType>(2, formTypeOf, ({ fields }) => formReader(fields!));

const STREAM: BodyHandling<Readable> = {
  assert: assertUpload,
  assertFits() {},
  reader: (upload: Upload) => async (context) => {
    if (announcesBody(context)) acceptedMediaType(context, upload.mediaTypes);
    return streamedBody(context, upload.maxBytes);
  },
};

function assertFits({ maxBytes: declaredBytes }: Upload, copies: number, id: string, limits: Limits): void {
  const maxBytes = declaredBytes ?? limits.maxBody;
  const longest = longestBody(limits, copies);
  if (maxBytes <= longest) return;
  throw new RangeError(
    `Cannot serve the operation "${id}" within maxBodyMemory "${limits.maxBodyMemory}": a body of ${maxBytes} bytes takes ` +
      `${copies > 0 ? 'four times' : 'twice'} that, and 64 KiB; raise limits.maxBodyMemory to at least ` +
      `${memoryFor(0) + (2 + copies) * maxBytes}, or give the body a maxBytes of at most ${longest}`,
  );
}

const isLimit = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const MAX_BYTES: Kind = ['a count of bytes above 0', isLimit];
const BODY = { mediaTypes: ANY, maxBytes: MAX_BYTES };
const FORM_BODY = { ...BODY, fields: ANY };
const ONE_OF_FILES = { type: ANY, mediaTypes: ANY, maxBytes: MAX_BYTES };
const FILE = { ...ONE_OF_FILES, description: TEXT, required: FLAG };
const MAX_ITEMS: Kind = ['a count of files above 0', isLimit];
const FILE_LIST = { type: ANY, items: ANY, description: TEXT, required: FLAG, maxItems: MAX_ITEMS };

/** Throws a `TypeError` with the mistake and the remedy for an invalid declaration. `id` is the operation's id. */
function assertUpload(upload: Upload, id: string): void {
  const reject = (subject: string, fault: string | undefined): void => {
    if (fault !== undefined) throw new TypeError(`Cannot use ${subject} of the operation "${id}": ${fault}`);
  };
  reject('the body', shapeFault(upload, isForm(upload) ? FORM_BODY : BODY) ?? rangesFault(upload.mediaTypes));
  if (!isForm(upload)) return;
  reject('the body', namesFault(upload.fields));
  for (const [name, field] of Object.entries(upload.fields)) {
    const subject = `the form field "${name}"`;
    if (hasFiles(field)) reject(subject, faultOfFiles(name, field));
    else assertParameter(name, field as ParameterDeclaration, 'formData', `${subject} of the operation "${id}"`);
  }
}

function faultOfFiles(name: string, field: FileDeclaration | FileListDeclaration): string | undefined {
  if (name === '') return 'it has no name; give one';
  if (field.type === 'file') return faultOfFile(field, FILE);
  const ofItems = faultOfFile(field.items, ONE_OF_FILES);
  return shapeFault(field, FILE_LIST) ?? (ofItems && `in its "items", ${ofItems}`);
}

const faultOfFile = (file: FileLimits, shape: typeof ONE_OF_FILES): string | undefined =>
  shapeFault(file, shape) ?? (file.mediaTypes && rangesFault(file.mediaTypes));

function namesFault(fields: FormFields): string | undefined {
  if (!isRecord(fields) || Object.keys(fields).length === 0)
    return "its form has no fields; give { name: { type: 'string' } } or others";
  const twice = repeated(Object.keys(fields));
  return twice && `its form has "${twice}" twice, as names ignore case; rename one`;
}
