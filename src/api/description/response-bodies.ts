/**
 * Lists the bodies that a response can have, by media type, for both formats (D72): values that are written as JSON,
 * texts and bytes of writers, and files and streams.
 */
import { writtenMediaTypes } from '../media-types/produced-media-types.ts';
import type { Operation } from '../operation/operation.ts';
import type { ResponseDeclaration, Writer } from '../operation/response.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import type { PropertyNaming } from '../schema/property-naming.ts';
import { serializer } from '../schema/serialize.ts';

/** A body in one media type. */
export interface DescribedBody {
  readonly mediaType: string;
  readonly schema: Schema;
  /** As it is sent. */
  readonly example?: unknown;
}

/** The bodies of a success, in the order of their media types; none for a response without a body. */
export function responseBodies(
  { schema, mediaType, example }: ResponseDeclaration,
  operation: Operation,
  naming: PropertyNaming = 'camelCase',
): DescribedBody[] {
  if (mediaType !== undefined)
    return [{ mediaType, schema: rawSchema(mediaType), ...(example !== undefined && { example }) }];
  if (schema === undefined) return [];
  const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
  const written = writtenMediaTypes(operation);
  return written.map((one): DescribedBody => {
    const write = writers[one];
    const body = write === undefined ? schema : rawSchema(one);
    if (example === undefined) return { mediaType: one, schema: body };
    if (write === undefined)
      return { mediaType: one, schema: body, example: JSON.parse(serializer(schema, naming)(example as never)) };
    const text = write(example);
    return { mediaType: one, schema: body, ...(typeof text === 'string' && { example: text }) };
  });
}

/** The schema of a body whose members are not described. `binary` makes generators return its bytes. */
const rawSchema = (mediaType: string): Schema =>
  /^text\/|[/+](?:xml|json|yaml)(?:;|$)/i.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
