/** Reads forms in memory. A field is a file or a text; a text is declared like a parameter of the query (D74). */
import { parseContentType } from '../../core/message/headers/content-type.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Violation } from '../../core/message/reply.ts';
import type { FileDeclaration, FormFields } from '../operation/own-body.ts';
import type { ParameterDeclaration, Parameters, ParameterValues } from '../parameters/parameter.ts';
import { groupedBy, placeReader } from '../parameters/read-values.ts';
import { isInRanges } from './by-media-type.ts';
import {
  charsetIn,
  charsetOf,
  type FormType,
  isCharsetName,
  percentDecoded,
  type SentText,
  textOf,
} from './form-text.ts';
import { assertCount, Multipart, malformed } from './multipart.ts';

/** The values of the fields that a handler gets. A field may be absent if it is not required and has no default. */
export type FormValues<Fields> = ParameterValues<Omit<Fields, FilesOf<Fields>>> & {
  readonly [Name in FilesOf<Fields, { readonly required: true }>]: File;
} & { readonly [Name in Exclude<FilesOf<Fields>, FilesOf<Fields, { readonly required: true }>>]?: File };

/** The names of the file fields that have a declaration of the type `Like`. */
export type FilesOf<Fields, Like = object> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly type: 'file' } & Like ? Name : never;
}[keyof Fields];

/** Returns the fields that are not files. */
export const textFields = (fields: FormFields): Parameters =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (isFile(field) ? [] : [[name, field]])));

/** Returns the fields that are files, with their names. */
export const fileFields = (fields: FormFields): readonly (readonly [name: string, file: FileDeclaration])[] =>
  Object.entries(fields).flatMap(([name, field]) => (isFile(field) ? [[name, field] as const] : []));

const isFile = (field: ParameterDeclaration | FileDeclaration): field is FileDeclaration => field?.type === 'file';

type SentFields = ReadonlyMap<string, readonly (string | File)[]>;

/**
 * Returns a function that reads a form from its bytes. The function rejects with an `HttpProblem`: 400 with every
 * error, 413 for too many parts, 415 for an unknown charset.
 */
export function formReader(fields: FormFields) {
  const grouped = groupedBy(Object.keys(fields));
  const textsOf = (sent: SentFields) => (name: string) => (sent.get(name) ?? []).filter(isText);
  const readTexts = placeReader(textFields(fields), 'formData', textsOf);
  const files = fileFields(fields);
  return async (bytes: Uint8Array, type: FormType) => {
    const { boundary } = type;
    const parts = boundary === undefined ? urlEncodedParts(bytes) : await multipartParts(bytes, boundary);
    const form = { ...type, charset: type.charset ?? charsetOfForm(parts) };
    const named = grouped(parts.map(([name, value]) => [textOf(name, form), value]));
    const sent: SentFields = new Map(
      Array.from(named, ([name, values]) => [name, values.map((value) => decoded(value, form)).filter(isUsed)]),
    );
    const violations: Violation[] = [];
    const texts = readTexts(sent, violations) as object;
    const faults = Object.entries(fields).flatMap(([name, field]): Violation[] => {
      const detail = isFile(field) ? fileFault(field, sent.get(name) ?? []) : textFault(sent.get(name) ?? []);
      return detail === undefined ? [] : [{ parameter: name, in: 'formData', detail }];
    });
    const misplaced = faults.map(({ parameter }) => parameter);
    const errors = [...violations.filter(({ parameter }) => !misplaced.includes(parameter)), ...faults];
    if (errors.length > 0) throw new HttpProblem(400, 'The form does not match its declaration', { errors });
    const sentFiles = files.flatMap(([name]) => (sent.get(name) ?? []).slice(0, 1).map((file) => [name, file]));
    return { ...texts, ...Object.fromEntries(sentFiles) } as FormValues<FormFields>;
  };
}

const isText = (value: string | File): value is string => typeof value === 'string';

/** Returns false for an empty file without a name. Browsers send it for a file input without a selected file. */
const isUsed = (value: string | File): boolean => isText(value) || value.name !== '' || value.size > 0;

const textFault = (sent: readonly (string | File)[]): string | undefined =>
  sent.every(isText) ? undefined : 'Expected a text, not a file';

function fileFault(declared: FileDeclaration, sent: readonly (string | File)[]) {
  const { required, maxBytes } = declared;
  const [file] = sent;
  if (file === undefined) return required === true ? 'This parameter is required' : undefined;
  if (sent.length > 1) return `Expected one file, not ${sent.length}`;
  if (isText(file)) return 'Expected a file, not a text';
  if (maxBytes !== undefined && file.size > maxBytes)
    return `Expected a file of at most ${maxBytes} bytes, not ${file.size}`;
  return typeFault(declared, file.type);
}

/** Returns the error in the media type of a file, or undefined. */
export function typeFault({ mediaTypes }: FileDeclaration, sent: string): string | undefined {
  const type = parseContentType(sent)?.type ?? '';
  if (mediaTypes === undefined || isInRanges(type, mediaTypes)) return undefined;
  return `Expected a file of ${mediaTypes.join(' or ')}, not ${JSON.stringify(type)}`;
}

export const URL_ENCODED = 'application/x-www-form-urlencoded';

/**
 * A file as it was sent, with an encoded name. The name is decoded only if the field is declared, so a wrong charset in
 * an undeclared field is not an error (D74).
 */
interface SentFile {
  readonly content: readonly Buffer[];
  readonly fileName: SentText;
  readonly type: string;
}

/** The parts of a form in order, each with its name. */
type SentParts = readonly (readonly [name: SentText, value: SentText | SentFile])[];

const isSentFile = (value: SentText | SentFile): value is SentFile => 'fileName' in value;

/** Returns the charset in the field `_charset_` (RFC 7578 §4.6), or undefined. */
function charsetOfForm(parts: SentParts): string | undefined {
  const [, value] = parts.find(([name]) => isCharsetName(name)) ?? [];
  return value === undefined || isSentFile(value) ? undefined : charsetIn(value);
}

const decoded = (value: SentText | SentFile, form: FormType): string | File =>
  isSentFile(value)
    ? new File([...value.content], textOf(value.fileName, form), { type: value.type })
    : textOf(value, form);

const AMPERSAND = 38;
/** The length of the pieces for the parser, in bytes. They are short, because it copies the unread rest of a piece. */
const PIECE = 64 * 1024;

async function multipartParts(bytes: Uint8Array, boundary: string): Promise<SentParts> {
  const parts = new Multipart(piecesOf(bytes), boundary);
  const sent: [SentText, SentText | SentFile][] = [];
  for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
    const { name, fileName, type } = part;
    const content = await parts.content();
    sent.push([name, fileName === undefined ? sentText(content, type) : { content, fileName, type }]);
  }
  return sent;
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Makes a text from the content and the media type of a part. Throws an `HttpProblem` 400 for a malformed type. */
export function sentText(content: readonly Uint8Array[], type: string): SentText {
  const contentType = parseContentType(type);
  if (contentType === undefined) throw malformed();
  return { bytes: Buffer.concat(content), charset: charsetOf(contentType) };
}

function urlEncodedParts(bytes: Uint8Array): SentParts {
  let parts = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) assertCount(++parts);
  const pairs = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('&');
  return pairs.filter(Boolean).map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair.replaceAll('+', ' '))!;
    return [{ bytes: percentDecoded(name) }, { bytes: percentDecoded(value) }];
  });
}
