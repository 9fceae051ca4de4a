/**
 * Lists the bodies that a response can have, by media type, for both formats (D72): values that are written as JSON,
 * texts and bytes of writers, and files and streams.
 */

import type { Operation, ResponseDeclaration, Schema } from '../../index.ts';
import { type PropertyNaming, serializer, type Writer, writtenMediaTypes } from '../../operations.ts';

/** A body in one media type. */
export interface DescribedBody {
  readonly mediaType: string;
  /** Undefined for JSON whose members are not described. */
  readonly schema: Schema | undefined;
  /** As it is sent; of JSON the value. */
  readonly example?: unknown;
}

/** The bodies of a success, in the order of their media types; none for a response without a body. */
export function responseBodies(
  { schema, mediaType, example }: ResponseDeclaration,
  operation: Operation,
  naming: PropertyNaming = 'camelCase',
): DescribedBody[] {
  if (mediaType !== undefined) return [rawBody(mediaType, example)];
  if (schema === undefined) return [];
  const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
  const written = writtenMediaTypes(operation);
  return written.map((one): DescribedBody => {
    const write = writers[one];
    if (write !== undefined) return rawBody(one, example === undefined ? undefined : write(example));
    if (example === undefined) return { mediaType: one, schema };
    return { mediaType: one, schema, example: JSON.parse(serializer(schema, naming)(example as never)) };
  });
}

/** A body whose members are not described. A client that reads JSON has a value for it, and no text. */
function rawBody(mediaType: string, example: unknown): DescribedBody {
  const isText = typeof example === 'string';
  if (/[/+]json$/.test(mediaType))
    return { mediaType, schema: undefined, ...(isText && { example: JSON.parse(example) as unknown }) };
  return { mediaType, schema: rawSchema(mediaType), ...(isText && { example }) };
}

/** `binary` makes generators return the bytes. */
const rawSchema = (mediaType: string): Schema =>
  /^text\/|[/+](?:xml|yaml)$/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
