/** Serializes the bodies of an operation: JSON by the schema of the response, other media types by writers (D72). */
import { InvalidReply, isIterable, lengthOf } from '../../core/http/reply.ts';
import { isRepresentation } from '../../core/http/representation.ts';
import { SourceStream } from '../../core/http/source-stream.ts';
import { article } from '../../core/options/assert-options.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { Operation, ResponseDeclaration, Writer } from '../operation/operation.ts';
import { deserializer, rowSerializer, serializer, WrongValue } from '../schema/serialize.ts';
import { isGivenByRow, isRowsWriter, writtenRows } from './row-writers.ts';

/**
 * Returns a function that serializes the value of a reply, and returns its length in bytes; undefined for a stream.
 * `status` selects the schema, `at` is the index of the media type in `writtenMediaTypes`. If the value is a JSON representation from a store, the function parses it for a custom
 * writer. Throws an error with the operation if the value is wrong, or if the rows are an iterable and the writer does
 * not come from `rowsWriter` (D100).
 */
export function bodyWriter({ operation, id, naming }: RoutedOperation) {
  const mediaTypes = writtenMediaTypes(operation);
  const refusal = (fault: string, cause?: WrongValue): InvalidReply =>
    new InvalidReply(`The operation "${id}" ${fault}`, cause && { cause });

  const named =
    <Args extends readonly unknown[]>(status: string, write: (...args: Args) => string) =>
    (...args: Args): string => {
      try {
        return write(...args);
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error;
        const what = `returned a ${status} that does not match its declaration: "${error.pointer}": ${error.fault}`;
        throw refusal(`${what}; correct the value or the declaration`, error);
      }
    };

  const jsonOf = new Map(
    Object.entries(operation.responses).flatMap(([status, { schema }]) => {
      if (schema === undefined) return [];
      const write = serializer(schema, naming) as (value: unknown) => string;
      const json = {
        write: named(status, write),
        writeRow: named(status, rowSerializer(schema, write)),
        read: deserializer(schema, naming),
        isList: schema.type === 'array',
      };
      return [[Number(status), json]];
    }),
  );

  /** Returns a text, bytes or a source of them. A custom writer may return a wrong value, so the caller checks it. */
  function written(status: number, value: unknown, mediaType: string): unknown {
    const json = jsonOf.get(status)!;
    const write: Writer<any> | undefined = operation.writers?.[mediaType];
    if (value instanceof Promise) {
      // An unhandled rejection would end the process.
      value.catch(() => {});
      throw refusal('returned a promise as the body; await it, as in ok(await …)');
    }
    if (isRepresentation(value)) {
      const remedy = 'leave out the writer, or return a value';
      if ('stream' in value) throw refusal(`streams JSON, which cannot be sent as "${mediaType}"; ${remedy}`);
      return write!(json.read(value.body), json.writeRow);
    }
    const isByRow = json.isList && isGivenByRow(value);
    if (write === undefined) return isByRow ? writtenRows(value, json.writeRow, '[', ',', ']') : json.write(value);
    const remedy = 'create the writer with rowsWriter(…), or return an array';
    if (isByRow && !isRowsWriter(write))
      throw refusal(`returned rows one by one, which the writer of "${mediaType}" does not support; ${remedy}`);
    return write(value, json.writeRow);
  }

  return (status: number, value: unknown, at: number) => {
    const mediaType = mediaTypes[at]!;
    const body = written(status, value, mediaType);
    if (typeof body === 'string' || body instanceof Uint8Array) return { body, length: lengthOf(body) };
    // Other views of memory, such as `Uint16Array`, iterate over numbers. The stream releases `value` when it ends.
    if (isIterable(body) && !ArrayBuffer.isView(body))
      return { body: new SourceStream(body, value), length: undefined };
    const returned = body === undefined || body === null ? String(body) : article(typeof body);
    throw new InvalidReply(
      `The writer of "${mediaType}" of the operation "${id}" returned ${returned}; return a text, bytes or a source of them`,
    );
  };
}

type Produced = Pick<Operation, 'produces' | 'responses' | 'writers'>;

const successes = ({ responses }: Produced) =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));

/** Returns the media types for `Accept` to choose from: JSON if a success has a schema, and those of the writers. */
export function writtenMediaTypes(operation: Produced): readonly string[] {
  const hasSchema = successes(operation).some(({ schema }) => schema !== undefined);
  return operation.produces ?? (hasSchema ? ['application/json', ...Object.keys(operation.writers ?? {})] : []);
}

/** Returns the media types and ranges of a body that is sent unchanged; an empty list for any other response. */
export const sentMediaTypes = ({ mediaType, mediaTypes }: ResponseDeclaration): readonly string[] =>
  mediaTypes ?? (mediaType === undefined ? [] : [mediaType]);

/** Returns all media types of successes: `writtenMediaTypes`, and those of bodies that are sent unchanged. */
export const producedMediaTypes = (operation: Produced): readonly string[] => [
  ...new Set([...writtenMediaTypes(operation), ...successes(operation).flatMap(sentMediaTypes)]),
];
