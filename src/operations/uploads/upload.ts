/** Declares, checks and reads bodies that are not JSON: bytes in memory, streams, and forms (D74). */
import type { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import type { ContentType } from '../../core/message/headers/content-type.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { ANY, FLAG, isRecord, type Kind, shapeFault, TEXT } from '../../core/options/shape.ts';
import { limitedBody, longestBody, streamedBody } from '../../core/wire/body/body-stream.ts';
import { noBody } from '../../core/wire/body/read-body.ts';
import { type Limits, memoryFor } from '../../core/wire/connection/limits.ts';
import {
  type BodyHandling,
  type FileDeclaration,
  type FormFields,
  type OwnBody,
  ownBody,
} from '../operation/own-body.ts';
import { assertParameter, type ParameterDeclaration } from '../parameters/parameter.ts';
import { announcesBody, refusedMediaType } from '../routes/json-body.ts';
import { acceptedMediaType, type MediaRange, rangesFault, repeated } from './by-media-type.ts';
import { type FormValues, fileFields, formReader, URL_ENCODED } from './form.ts';
import { type FormStream, formStreamReader } from './form-stream.ts';
import { charsetOf, decoderOf, type FormType } from './form-text.ts';
import { MULTIPART } from './multipart.ts';

export { type ByMediaTypeBody, byMediaType } from './by-media-type.ts';
export type { FormStream, StreamedFile } from './form-stream.ts';

/** Options of a body. */
interface UploadOptions {
  /**
   * The most bytes of the body; may exceed `maxBody`, which is the default (D74). A body in memory must fit into
   * `maxBodyMemory` of the service.
   */
  readonly maxBytes?: number | undefined;
}

interface Declared<Value> extends UploadOptions, OwnBody<Value> {}

/** A form that the handler gets as an object of texts, numbers and files. */
export interface FormBody<Fields extends FormFields = FormFields> extends Declared<FormValues<Fields>> {
  readonly fields: Fields;
}

/** A form that the handler gets as an object of texts, and files that it reads while they arrive. */
export interface FormStreamBody<Fields extends FormFields = FormFields> extends Declared<FormStream<Fields>> {
  readonly fields: Fields;
}

/** Returns true if the body is declared with `form` or `formStream`. */
const isForm = (body: OwnBody): body is FormBody | FormStreamBody =>
  [FORM, FORM_STREAM].includes(body[ownBody] as typeof FORM);

type Ranges = readonly [MediaRange, ...MediaRange[]];
/** Media types, or an object with media types and a limit. */
type RangesOrOptions = Ranges | readonly [UploadOptions & { readonly mediaTypes: Ranges }];

function declared<Value>(handling: BodyHandling<Value>, values: RangesOrOptions): Declared<Value> {
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
 * field. The handler gets a file as a web `File`. Undeclared fields are ignored. The charset of a text comes from its
 * part, from the `Content-Type` of the form, or from the field `_charset_`; the default is UTF-8. Invalid text is
 * refused with 400, an unknown charset with 415.
 *
 *     body: form({
 *       title: { type: 'string', maxLength: 80, required: true },
 *       photo: { type: 'file', mediaTypes: ['image/*'], maxBytes: 500_000, required: true },
 *     })
 */
export const form = <const Fields extends FormFields>(
  fields: Fields,
  options: UploadOptions = {},
): FormBody<Fields> => ({
  ...options,
  [ownBody]: FORM as BodyHandling<FormValues<Fields>>,
  fields,
  mediaTypes: fileFields(fields ?? {}).length > 0 ? [MULTIPART] : [URL_ENCODED, MULTIPART],
});

/**
 * Declares a `multipart/form-data` form with files of any size. The handler gets the texts, and each file as a stream
 * with backpressure; at most 256 KiB are in memory. Clients must send the texts, at most 64 KiB, before the files. A
 * form with an undeclared field, except `_charset_`, or with two files for one field is refused with 400. Parts that
 * the handler does not read are not checked. A request with a content coding is refused with 415.
 *
 *     operation({
 *       method: 'POST',
 *       path: 'films',
 *       body: formStream(
 *         { title: { type: 'string', required: true }, film: { type: 'file', mediaTypes: ['video/*'] } },
 *         { maxBytes: 2 ** 32 },
 *       ),
 *       responses: { 204: {} },
 *       async handle({ body: { fields, files } }) {
 *         for await (const { name, stream } of files)
 *           for await (const chunk of stream) console.log(fields.title, name, chunk.length);
 *         return noContent();
 *       },
 *     });
 */
export const formStream = <const Fields extends FormFields>(
  fields: Fields,
  options: UploadOptions = {},
): FormStreamBody<Fields> => ({
  ...options,
  [ownBody]: FORM_STREAM as unknown as BodyHandling<FormStream<Fields>>,
  fields,
  mediaTypes: [MULTIPART],
});

/** The result of `form`, `formStream`, `bytes` and `byteStream`. */
interface Upload extends OwnBody {
  readonly maxBytes?: number | undefined;
}

/** Returns the media type of the body. Throws an `HttpProblem` 415 with the accepted types for any other type. */
const typeOf = (context: Context, { mediaTypes }: Upload): ContentType => acceptedMediaType(context, mediaTypes);

/** Returns the parsed media type of the body, or throws an `HttpProblem`. Needs only the headers of the request. */
type Accept<Type> = (context: Context, upload: Upload) => Type;

/** Returns the handling of a body in memory. The values take `copies` times as much memory as the body. */
const inMemory = <Value, Type>(
  copies: number,
  accepted: Accept<Type>,
  reader: (upload: Upload) => (bytes: Uint8Array, type: Type) => Value | Promise<Value>,
): BodyHandling<Value> => ({
  assert: assertUpload,
  assertFits: (upload, id, limits) => assertFits(upload, copies, id, limits),
  reader(upload: Upload) {
    const read = reader(upload);
    return async (context) => {
      if (announcesBody(context)) accepted(context, upload);
      const bytes = await limitedBody(context, upload.maxBytes, copies);
      if (bytes.length === 0) throw noBody();
      return read(bytes, accepted(context, upload));
    };
  },
});

const BYTES = inMemory<Uint8Array, ContentType>(0, typeOf, () => (bytes) => bytes);

/** The files and texts of a form take twice as much memory as the body. */
const FORM_COPIES = 2;
const FORM = inMemory<FormValues<FormFields>, FormType>(FORM_COPIES, formTypeOf, ({ fields }) => formReader(fields!));

/** Returns the handling of a body that is read while it arrives. */
const streamed = <Value, Type>(
  accepted: Accept<Type>,
  reader: (upload: Upload) => (source: Readable, type: () => Type) => Value | Promise<Value>,
): BodyHandling<Value> => ({
  assert: assertUpload,
  assertFits() {},
  reader(upload: Upload) {
    const read = reader(upload);
    return async (context) => {
      if (announcesBody(context)) accepted(context, upload);
      return read(streamedBody(context, upload.maxBytes), () => accepted(context, upload));
    };
  },
});

const STREAM = streamed<Readable, ContentType>(typeOf, () => (source) => source);
const FORM_STREAM = streamed<FormStream<FormFields>, FormType>(formTypeOf, ({ fields }) => {
  const read = formStreamReader(fields!);
  return (source, type) => read(source, type());
});

/** Matches a valid boundary (RFC 2046 §5.1.1). */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** Parses the `Content-Type` of a form. Throws a 415 for a wrong media type or charset, a 400 for a wrong boundary. */
function formTypeOf(context: Context, upload: Upload): FormType {
  const contentType = typeOf(context, upload);
  const charset = charsetOf(contentType);
  const refused = (detail: string) => refusedMediaType(context.method, detail, upload.mediaTypes.join(', '));
  // Throws for an unknown charset before the body is read.
  if (charset !== undefined) decoderOf(charset, { refused });
  if (contentType.type !== MULTIPART) return { boundary: undefined, charset, refused };
  const [boundary, ...more] = contentType.parameters.filter(([name]) => name === 'boundary').map(([, value]) => value);
  if (boundary !== undefined && more.length === 0 && BOUNDARY.test(boundary)) return { boundary, charset, refused };
  const wrong = more.length > 0 ? 'more than one boundary' : 'an invalid boundary';
  const fault = boundary === undefined ? 'no boundary' : wrong;
  throw new HttpProblem(400, `The Content-Type has ${fault}; send the boundary that is between the parts`);
}

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
const FILE = { type: ANY, description: TEXT, required: FLAG, mediaTypes: ANY, maxBytes: MAX_BYTES };

/** Throws a `TypeError` with the mistake and the remedy for an invalid declaration. `id` is the operation's id. */
function assertUpload(upload: Upload, id: string): void {
  const reject = (subject: string, fault: string | undefined): void => {
    if (fault !== undefined) throw new TypeError(`Cannot use ${subject} of the operation "${id}": ${fault}`);
  };
  reject('the body', shapeFault(upload, isForm(upload) ? FORM_BODY : BODY) ?? rangesFault(upload.mediaTypes));
  if (!isForm(upload)) return;
  reject('the body', namesFault(upload.fields));
  if (upload[ownBody] === FORM_STREAM && fileFields(upload.fields).length === 0)
    reject('the body', "its form has no file; give { name: { type: 'file' } }, or declare it with form");
  for (const [name, field] of Object.entries(upload.fields)) {
    const subject = `the form field "${name}"`;
    if (field?.type === 'file') reject(subject, name === '' ? 'it has no name; give one' : faultOfFile(field));
    else assertParameter(name, field as ParameterDeclaration, 'formData', `${subject} of the operation "${id}"`);
  }
}

function faultOfFile(file: FileDeclaration): string | undefined {
  return shapeFault(file, FILE) ?? (file.mediaTypes && rangesFault(file.mediaTypes));
}

function namesFault(fields: FormFields): string | undefined {
  if (!isRecord(fields) || Object.keys(fields).length === 0)
    return "its form has no fields; give { name: { type: 'string' } } or others";
  const twice = repeated(Object.keys(fields));
  return twice && `its form has "${twice}" twice, as names ignore case; rename one`;
}
