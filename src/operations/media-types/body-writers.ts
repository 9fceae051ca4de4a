/** Writes the bodies of an operation: JSON by the schema of the response, other media types by their writers (D72). */
import { InvalidReply, isIterable, lengthOf, type ReplyBody } from '../../core/message/reply-fault.ts';
import { isRepresentation, isStreamed } from '../../core/message/representation.ts';
import { SourceStream } from '../../core/message/source-stream.ts';
import { article } from '../../core/options/assert-options.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { Operation, Writer } from '../operation/operation.ts';
import { deserializer, rowSerializer, serializer, WrongValue } from '../schema/serialize.ts';
import { isGivenByRow, isRowsWriter, writtenRows } from './rows.ts';

/** The texts around the rows of a list in JSON. */
const LIST = { before: '[', between: ',', after: ']' };

/** A body, and its length in bytes; undefined for a stream. */
interface WrittenBody {
  readonly body: ReplyBody;
  readonly length: number | undefined;
}

/**
 * Returns the function that writes the value of a status with a schema as one of the `writtenMediaTypes`, that at this
 * position. A representation is rewritten by the writer of the media type. Errors name the operation.
 */
export function bodyWriter({ operation, id, naming }: RoutedOperation) {
  const mediaTypes = writtenMediaTypes(operation);
  const refusal = (fault: string, cause?: WrongValue): InvalidReply =>
    new InvalidReply(`The operation "${id}" ${fault}`, cause && { cause });

  /** The function, whose `WrongValue` becomes an error that names the operation. */
  const named =
    <Given extends readonly unknown[]>(status: string, write: (...given: Given) => string) =>
    (...given: Given): string => {
      try {
        return write(...given);
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error;
        const what = `returned a ${status} that is not as it declares: "${error.pointer}" ${error.fault}`;
        throw refusal(`${what}; return what it declares, or declare what it returns`, error);
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

  /** A text, bytes, or a source of them, unless a writer returned something else. */
  function written(status: number, value: unknown, mediaType: string): unknown {
    const json = jsonOf.get(status)!;
    const write: Writer<any> | undefined = operation.writers?.[mediaType];
    if (value instanceof Promise) {
      // Nobody waits for its own failure, which would end the process.
      value.catch(() => {});
      throw refusal('returned a promise as the body; await it, as in ok(await …)');
    }
    if (isRepresentation(value)) {
      const remedy = 'leave out its writer, or answer a value';
      if (isStreamed(value)) throw refusal(`streams JSON, which cannot be sent as "${mediaType}"; ${remedy}`);
      return write!(json.read(value.body), json.writeRow);
    }
    const isByRow = json.isList && isGivenByRow(value);
    if (write === undefined) return isByRow ? writtenRows(value, json.writeRow, LIST) : json.write(value);
    const remedy = 'make it with rowsWriter(…), or answer an array';
    if (isByRow && !isRowsWriter(write))
      throw refusal(`gives its rows one by one, which the writer of "${mediaType}" does not take; ${remedy}`);
    return write(value, json.writeRow);
  }

  return (status: number, value: unknown, at: number): WrittenBody => {
    const mediaType = mediaTypes[at]!;
    const body = written(status, value, mediaType);
    if (typeof body === 'string' || body instanceof Uint8Array) return { body, length: lengthOf(body) };
    // The numbers of another view of memory are no parts of a body. The value is released with the source made of it.
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

/** Those in which a value is written, among which `Accept` chooses: JSON where a success has a schema, and writers. */
export function writtenMediaTypes(operation: Produced): readonly string[] {
  const hasSchema = successes(operation).some(({ schema }) => schema !== undefined);
  return operation.produces ?? (hasSchema ? ['application/json', ...Object.keys(operation.writers ?? {})] : []);
}

/** All: the written ones, and those of bodies that are sent as they are. */
export const producedMediaTypes = (operation: Produced): readonly string[] => [
  ...new Set([...writtenMediaTypes(operation), ...successes(operation).flatMap(({ mediaType }) => mediaType ?? [])]),
];
