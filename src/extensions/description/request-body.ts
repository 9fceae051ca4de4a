/** Lists what the body of a request can be, for both formats: JSON, bytes, or the fields of a form (D74). */

import type { Operation, Schema } from '../../index.ts';
import { canRepeat, isOwnBody, type SentPlace } from '../../operations.ts';
import { type FormBody, fileFields, isForm, textFields } from '../uploads/upload.ts';
import { type DescribedParameter, described } from './described-operation.ts';
import type { DescribedSchema, SchemaWriter } from './schema-writer.ts';

/** The schema of bytes. */
export const BINARY: Schema = { type: 'string', format: 'binary' };

/** The media types of the body, none where there is no body. */
export const bodyMediaTypes = ({ body }: Operation): readonly string[] =>
  body === undefined ? [] : isOwnBody(body) ? body.mediaTypes : ['application/json'];

/** The schema of a body that is one value; undefined for a form and for no body. */
export const bodySchema = ({ body }: Operation): Schema | undefined =>
  !isOwnBody(body) ? body : isForm(body) ? undefined : BINARY;

/** The fields of a form in their order; undefined for any other body. */
export function formFields({ body }: Operation): readonly DescribedParameter<'formData'>[] | undefined {
  if (!isOwnBody(body) || !isForm(body)) return undefined;
  const { fields } = body;
  const texts = textFields(fields);
  const files = new Map(fileFields(fields));
  return Object.keys(fields).map((name) => {
    const file = files.get(name);
    if (file === undefined) return described(name, 'formData', texts[name]!);
    const { description = '', required = false } = file;
    return { name, in: 'formData', description, required, deprecated: false, schema: BINARY, list: undefined };
  });
}

/** A body of 3.1. `encoding` says how fields of a form are written, and the media types of its files. */
export interface OpenApiBody {
  readonly schema: DescribedSchema;
  readonly example?: unknown;
  readonly encoding?: Readonly<Record<string, Encoding>>;
}

type Encoding = Readonly<Record<string, unknown>>;

/** The body of an operation that has one: a form is an object there. */
export function openApiBody(operation: Operation, schemas: SchemaWriter): OpenApiBody {
  const fields = formFields(operation);
  if (fields === undefined) return { schema: schemas.write(bodySchema(operation)!) };
  const required = fields.flatMap((field) => (field.required ? [field.name] : []));
  const properties = fields.map(({ name, description, deprecated, schema }) => [
    name,
    { ...schemas.write(schema), ...(description && { description }), ...(deprecated && { deprecated }) },
  ]);
  const files = new Map(fileFields((operation.body as FormBody).fields));
  const encoding = fields.flatMap(({ name, list }): (readonly [string, Encoding])[] => {
    const contentType = files.get(name)?.mediaTypes?.join(', ');
    if (contentType !== undefined) return [[name, { contentType }]];
    return list === undefined ? [] : [[name, { style: listStyle(list, 'formData'), explode: list === 'multi' }]];
  });
  return {
    schema: { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) },
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

/** The style of a list: comma-separated values are `form` in a query and in a form, and `simple` elsewhere. */
export const listStyle = (list: string, place: SentPlace): string =>
  ({ ssv: 'spaceDelimited', pipes: 'pipeDelimited' })[list] ?? (canRepeat(place) ? 'form' : 'simple');
