/** Reads forms in memory. A field has files or texts; a text is declared like a parameter of the query (D74, D128). */
import type { Context } from '../../core/http/context.ts';
import { isInRanges, isUtf8, otherCharset, parseContentType } from '../../core/http/headers/content-type.ts';
import type { Violation } from '../../core/http/problem.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { decoded } from '../../core/http/text.ts';
import {
  type FileDeclaration,
  type FileLimits,
  type FileListDeclaration,
  type FormFields,
  hasFiles,
} from '../operation/own-body.ts';
import type { Parameters, ParameterValues } from '../parameters/parameter.ts';
import { groupedBy, MISSING_PARAMETER, placeReader } from '../parameters/read-values.ts';
import { refusedMediaType } from '../routes/json-body.ts';
import { expected, type Flaw } from '../schema/faults.ts';
import { acceptedMediaType } from './by-media-type.ts';
import { assertCount, MAX_PARTS, MULTIPART, malformed, notUtf8, partsOf, utf8 } from './multipart.ts';

/** The values of the fields that a handler gets. A field may be absent if it is not required and has no default. */
export type FormValues<Fields> = ParameterValues<Omit<Fields, FilesOf<Fields>>> & {
  readonly [Name in FilesOf<Fields, { readonly required: true }>]: FilesIn<Fields[Name]>;
} & {
  readonly [Name in Exclude<FilesOf<Fields>, FilesOf<Fields, { readonly required: true }>>]?: FilesIn<Fields[Name]>;
};

/** The names of the fields that have files, and a declaration of the type `Like`. */
type FilesOf<Fields, Like = object> = {
  [Name in keyof Fields]: Fields[Name] extends (OneFile | { readonly items: OneFile }) & Like ? Name : never;
}[keyof Fields];

type FilesIn<Field> = Field extends OneFile ? File : readonly File[];
type OneFile = { readonly type: 'file' };

const textFields = (fields: FormFields): Parameters =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (hasFiles(field) ? [] : [[name, field]])));

/** The parsed `Content-Type` of a form. */
export interface FormType {
  /** The boundary between the parts; undefined for `application/x-www-form-urlencoded`. */
  readonly boundary: string | undefined;
  /** Throws an `HttpProblem` 415 for a charset other than UTF-8. */
  readonly assertUtf8: (charset: string | undefined) => void;
}

// RFC 2046 §5.1.1.
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** Parses the `Content-Type` of a form. Throws a 415 for a wrong media type or charset, a 400 for a wrong boundary. */
export function formTypeOf(context: Context, mediaTypes: readonly string[]): FormType {
  const contentType = acceptedMediaType(context, mediaTypes);
  const assertUtf8 = (charset: string | undefined): void => {
    if (charset === undefined || isUtf8(charset)) return;
    const fault = `The form is in the charset ${JSON.stringify(charset.slice(0, 40))}; send it in UTF-8`;
    throw refusedMediaType(context.method, fault, mediaTypes.join(', '));
  };
  assertUtf8(otherCharset(contentType));
  if (contentType.type !== MULTIPART) return { boundary: undefined, assertUtf8 };
  const [boundary, ...more] = contentType.parameters.filter(([name]) => name === 'boundary').map(([, value]) => value);
  if (boundary !== undefined && more.length === 0 && BOUNDARY.test(boundary)) return { boundary, assertUtf8 };
  const wrong = more.length > 0 ? 'more than one boundary' : 'an invalid boundary';
  const fault = boundary === undefined ? 'no boundary' : wrong;
  throw new HttpProblem(400, `The Content-Type has ${fault}; send the boundary that is between the parts`);
}

type SentField = readonly [name: string, value: string | File];

/**
 * Returns a function that reads a form from its bytes. The function throws an `HttpProblem`: 400 with every error or
 * for a text that is not UTF-8, 413 for too many parts, 415 for a part or a field `_charset_` (RFC 7578 §4.6) with
 * another charset.
 */
export function formReader(fields: FormFields) {
  const grouped = groupedBy(Object.keys(fields));
  const textsOf = (sent: ReadonlyMap<string, readonly (string | File)[]>, name: string) =>
    (sent.get(name) ?? []).filter(isText);
  const readTexts = placeReader(textFields(fields), 'formData', textsOf);
  return (bytes: Uint8Array, { boundary, assertUtf8 }: FormType): FormValues<FormFields> => {
    const all = boundary === undefined ? urlEncodedFields(bytes) : multipartFields(bytes, boundary, assertUtf8);
    for (const [name, value] of all)
      if (name.toLowerCase() === '_charset_' && isText(value)) assertUtf8(value || undefined);
    const sent = grouped(all);
    const violations: Violation[] = [];
    const texts = readTexts(sent, violations) as object;
    const files: [name: string, files: unknown][] = [];
    const faults = Object.entries(fields).flatMap(([name, field]): Violation[] => {
      // Some clients send an empty text for a file input without a selected file.
      const values = (sent.get(name) ?? []).filter((value) => !hasFiles(field) || value !== '');
      if (hasFiles(field) && values.length > 0) files.push([name, field.type === 'file' ? values[0] : values]);
      const textFlaws = values.every(isText) ? [] : [expected('type', 'string', 'a text, not a file')];
      const flaws = hasFiles(field) ? filesFlaws(field, values) : textFlaws;
      return flaws.map((flaw) => ({ parameter: name, in: 'formData', ...flaw }));
    });
    const misplaced = faults.map(({ parameter }) => parameter);
    const errors = [...violations.filter(({ parameter }) => !misplaced.includes(parameter)), ...faults];
    if (errors.length > 0) throw new HttpProblem(400, 'The form does not match its declaration', { errors });
    return { ...texts, ...Object.fromEntries(files) } as FormValues<FormFields>;
  };
}

function multipartFields(
  bytes: Uint8Array,
  boundary: string,
  assertUtf8: FormType['assertUtf8'],
): readonly SentField[] {
  return partsOf(bytes, boundary).flatMap(({ name, fileName, type = 'text/plain', content }): SentField[] => {
    // For a file input without a selected file, browsers send an empty file without a name.
    if (fileName === '' && content.length === 0) return [];
    if (fileName !== undefined) return [[name, new File([content], fileName, { type })]];
    const contentType = parseContentType(type);
    if (contentType === undefined) throw malformed();
    assertUtf8(otherCharset(contentType));
    return [[name, utf8(content)]];
  });
}

function urlEncodedFields(bytes: Uint8Array): readonly SentField[] {
  const pairs = utf8(bytes).split('&', MAX_PARTS + 1);
  assertCount(pairs.length);
  return pairs.filter(Boolean).map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair)!;
    return [percentDecoded(name), percentDecoded(value)];
  });
}

/** Matches percent signs that do not begin an escape. They stand for themselves. */
const LONE_PERCENTS = /(?:%(?![\da-f]{2}))+/gi;

/** Decodes a name or a value of `application/x-www-form-urlencoded`. Throws a 400 if it is not UTF-8. */
function percentDecoded(coded: string): string {
  const text = decoded(coded.replaceAll('+', ' ').replace(LONE_PERCENTS, (signs) => '%25'.repeat(signs.length)));
  if (text === undefined) throw notUtf8();
  return text;
}

const isText = (value: string | File): value is string => typeof value === 'string';

function filesFlaws(field: FileDeclaration | FileListDeclaration, sent: readonly (string | File)[]): readonly Flaw[] {
  if (sent.length === 0) return field.required === true ? [MISSING_PARAMETER] : [];
  const { maxItems: most = field.type === 'file' ? 1 : Infinity } = field;
  const files = most === 1 ? 'one file' : `${most} or fewer files`;
  if (sent.length > most) return [expected('maxItems', most, `${files}, not ${sent.length}`)];
  return sent.flatMap((value, at) => {
    const flaw = fileFlaw(field.type === 'file' ? field : field.items, value);
    if (flaw === undefined) return [];
    return [field.type === 'file' ? flaw : { ...flaw, detail: `Value ${at + 1}: ${flaw.detail}` }];
  });
}

function fileFlaw({ maxBytes, mediaTypes }: FileLimits, file: string | File): Flaw | undefined {
  if (isText(file)) return expected('type', 'file', 'a file, not a text');
  if (maxBytes !== undefined && file.size > maxBytes)
    return expected('maxBytes', maxBytes, `a file of at most ${maxBytes} bytes, not ${file.size}`);
  const type = parseContentType(file.type)?.type ?? '';
  if (mediaTypes === undefined || isInRanges(type, mediaTypes)) return undefined;
  return expected('mediaTypes', mediaTypes, `a file of ${mediaTypes.join(' or ')}, not ${JSON.stringify(type)}`);
}
