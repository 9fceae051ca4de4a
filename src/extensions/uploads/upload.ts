/** Bodies that are not JSON (D74), declared, checked and read: bytes in memory, a stream, or the fields of a form. */
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
} from '../../operations/operation/own-body.ts';
import { assertParameter, type ParameterDeclaration } from '../../operations/parameters/parameter.ts';
import { announcesBody, refusedMediaType } from '../../operations/routes/json-body.ts';
import { acceptedMediaType, type MediaRange, rangesFault, repeated } from './by-media-type.ts';
import { type FormValues, fileFields, formReader, URL_ENCODED } from './form.ts';
import { type FormStream, formStreamReader } from './form-stream.ts';
import { charsetOf, decoderOf, type FormType } from './form-text.ts';
import { MULTIPART } from './multipart.ts';

export { type ByMediaTypeBody, byMediaType } from './by-media-type.ts';
export type { FormStream, StreamedFile } from './form-stream.ts';

/** What a body has beside its media types. */
interface UploadOptions {
  /** In bytes. Default: `maxBody` of the service. What stays in memory must fit into its `maxBodyMemory`. */
  readonly maxBytes?: number | undefined;
}

interface Declared<Value> extends UploadOptions, OwnBody<Value> {}

/** A body that is given to the handler as an object of texts, numbers and files. */
export interface FormBody<Fields extends FormFields = FormFields> extends Declared<FormValues<Fields>> {
  readonly fields: Fields;
}

/** A form whose texts are given to the handler at once, and its files while they come in. */
export interface FormStreamBody<Fields extends FormFields = FormFields> extends Declared<FormStream<Fields>> {
  readonly fields: Fields;
}

/** Tells a form from the other bodies. */
const isForm = (body: OwnBody): body is FormBody | FormStreamBody =>
  [FORM, FORM_STREAM].includes(body[ownBody] as typeof FORM);

type Ranges = readonly [MediaRange, ...MediaRange[]];
/** The media types, or an object with them and a limit. */
type RangesOrOptions = Ranges | readonly [UploadOptions & { readonly mediaTypes: Ranges }];

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
export const bytes = (...mediaTypes: RangesOrOptions): OwnBody<Uint8Array> => declared(BYTES, mediaTypes);

/**
 * The body as a stream, at the pace of the handler; no more than 128 KiB of it is in memory. Reading fails with the
 * problem that answers the request: 413 above the limit, 408 for a client that is too slow. A content coding is refused
 * with 415.
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
 * The fields and files of a form, `multipart/form-data`. Without a file it may be sent as
 * `application/x-www-form-urlencoded` too. A field is declared as a parameter is, a list is sent by repetition; a file
 * is the `File` of the web. Fields that are not declared are ignored. Text is decoded in the charset that its part, the
 * form or its field `_charset_` names, else in UTF-8: 400 for text that cannot be decoded, 415 for an unknown charset.
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
 * The same form, sent as `multipart/form-data`, for files of any size: the handler has the texts, and each file as a
 * stream while it comes in, at its pace; no more than 256 KiB of it are in memory. Clients send the texts in front of
 * the files, 64 KiB of them at most. A field that is not declared, except `_charset_`, and a second file of the same name
 * are refused with 400; what the handler does not read is not checked. A content coding is refused with 415.
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

/** What `form`, `formStream`, `bytes` and `byteStream` declare. */
interface Upload extends OwnBody {
  readonly maxBytes?: number | undefined;
}

/** The media type of the body. Throws an `HttpProblem` 415 with what is read. */
const typeOf = (context: Context, { mediaTypes }: Upload): ContentType => acceptedMediaType(context, mediaTypes);

/** Reads the media type, also before a client that waits for 100 Continue has sent anything. */
type Accept<Type> = (context: Context, upload: Upload) => Type;

/** A body that stays in memory. `copies` is what the values take beside the bytes, in lengths of the body. */
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

/** What the files and texts of a form take beside its bytes while they are made, in lengths of the body. */
const FORM_COPIES = 2;
const FORM = inMemory<FormValues<FormFields>, FormType>(FORM_COPIES, formTypeOf, ({ fields }) => formReader(fields!));

/** A body that is read while it comes in. */
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

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** What the media type says of a form. Throws an `HttpProblem`, 415 or 400. */
function formTypeOf(context: Context, upload: Upload): FormType {
  const contentType = typeOf(context, upload);
  const charset = charsetOf(contentType);
  const refused = (detail: string) => refusedMediaType(context.method, detail, upload.mediaTypes.join(', '));
  // Throws for an unknown charset, also before the body is read.
  if (charset !== undefined) decoderOf(charset, { refused });
  if (contentType.type !== MULTIPART) return { boundary: undefined, charset, refused };
  const [boundary, ...more] = contentType.parameters.filter(([name]) => name === 'boundary').map(([, value]) => value);
  if (boundary !== undefined && more.length === 0 && BOUNDARY.test(boundary)) return { boundary, charset, refused };
  const wrong = more.length > 0 ? 'more than one boundary' : 'a boundary that cannot be one';
  const fault = boundary === undefined ? 'no boundary' : wrong;
  throw new HttpProblem(400, `The Content-Type has ${fault}; send the one that is between the parts`);
}

function assertFits({ maxBytes: own }: Upload, copies: number, id: string, limits: Limits): void {
  const maxBytes = own ?? limits.maxBody;
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

/** Throws a `TypeError` that names what is wrong and the remedy. `id` is that of the operation. */
function assertUpload(upload: Upload, id: string): void {
  const refuse = (subject: string, fault: string | undefined): void => {
    if (fault !== undefined) throw new TypeError(`Cannot use ${subject} of the operation "${id}": ${fault}`);
  };
  refuse('the body', shapeFault(upload, isForm(upload) ? FORM_BODY : BODY) ?? rangesFault(upload.mediaTypes));
  if (!isForm(upload)) return;
  refuse('the body', namesFault(upload.fields));
  if (upload[ownBody] === FORM_STREAM && fileFields(upload.fields).length === 0)
    refuse('the body', "its form has no file; give { name: { type: 'file' } }, or declare it with form");
  for (const [name, field] of Object.entries(upload.fields)) {
    const subject = `the form field "${name}"`;
    if (field?.type === 'file') refuse(subject, name === '' ? 'it has no name; give one' : faultOfFile(field));
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
