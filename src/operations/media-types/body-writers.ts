/** Writes the bodies of an operation: JSON by the schema of the response, other media types by their writers (D72). */
import type { Readable } from 'node:stream';
import { InvalidReply, isIterable } from '../../core/message/reply-fault.ts';
import { isStreamed, type Representation, type StreamedRepresentation } from '../../core/message/representation.ts';
import { SourceStream } from '../../core/message/source-stream.ts';
import { article } from '../../core/options/assert-options.ts';
import type { Operation, Writer } from '../operation/operation.ts';
import type { PropertyNaming } from '../schema/names.ts';
import { deserializer, rowSerializer, serializer, WrongValue } from '../schema/serialize.ts';
import { isGivenByRow, isRowsWriter, type RowWriter, writtenRows } from './written-rows.ts';

/** A body, and its length in bytes. */
type WrittenBody = { readonly body: string | Uint8Array; readonly length: number };
/** The stream of a body, and its length where it is known. */
type StreamedBody = { readonly body: Readable; readonly length: number | undefined };

/** How a value of one status is written as JSON, and read from the text of a representation. */
interface WrittenJson {
  readonly write: (value: unknown) => string;
  readonly writeRow: RowWriter;
  readonly isList: boolean;
  readonly read: (text: string) => unknown;
}

/** The writers of one operation. `id` names the operation in errors. */
export function bodyWriters(operation: Operation, id: string, naming: PropertyNaming) {
  const refusal = (fault: string, cause?: WrongValue): InvalidReply =>
    new InvalidReply(`The operation "${id}" ${fault}`, cause && { cause });

  /** The writer, whose errors name the operation. */
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

  /** The media types that `Accept` chooses from. `at` is the position of one of them. */
  const mediaTypes = writtenMediaTypes(operation);
  /** By media type, undefined for JSON. */
  const writers = mediaTypes.map((mediaType): Writer<any> | undefined => operation.writers?.[mediaType]);
  const byStatus = new Map<number, WrittenJson>();
  for (const [status, { schema }] of Object.entries(operation.responses))
    if (schema !== undefined) {
      const write = serializer(schema, naming) as (value: unknown) => string;
      byStatus.set(Number(status), {
        write: named(status, write),
        writeRow: named(status, rowSerializer(schema, write)),
        isList: schema.type === 'array',
        read: deserializer(schema, naming),
      });
    }

  /** `value` is released with a source that was made of it. */
  function measured(body: unknown, at: number, value: unknown): WrittenBody | StreamedBody {
    if (typeof body === 'string') return { body, length: Buffer.byteLength(body) };
    if (body instanceof Uint8Array) return { body, length: body.length };
    // The numbers of another view of memory are no parts of a body.
    if (isIterable(body) && !ArrayBuffer.isView(body))
      return { body: new SourceStream(body, value), length: undefined };
    const returned = body === undefined || body === null ? String(body) : article(typeof body);
    throw new InvalidReply(
      `The writer of "${mediaTypes[at]}" of the operation "${id}" returned ${returned}; return a text, bytes or a source of them`,
    );
  }

  return {
    mediaTypes,

    /** The body for a value of a status that has a schema. */
    write(status: number, value: unknown, at: number): WrittenBody | StreamedBody {
      if (value instanceof Promise) {
        // Its own failure has nobody who waits for it, and would end the process.
        value.catch(() => {});
        throw refusal('returned a promise as the body; await it, as in ok(await …)');
      }
      const json = byStatus.get(status)!;
      const write = writers[at];
      const isByRow = json.isList && isGivenByRow(value);
      if (write === undefined)
        return measured(isByRow ? writtenRows(value, json.writeRow, LIST) : json.write(value), at, value);
      if (isByRow && !isRowsWriter(write)) {
        const remedy = 'make it with rowsWriter(…), or answer an array';
        throw refusal(`gives its rows one by one, which the writer of "${mediaTypes[at]}" does not take; ${remedy}`);
      }
      return measured(write(value, json.writeRow), at, value);
    },

    /** The body that the writer of another media type makes of a value that is kept as JSON. */
    rewrite(
      status: number,
      kept: Representation<unknown> | StreamedRepresentation<unknown>,
      at: number,
    ): WrittenBody | StreamedBody {
      if (isStreamed(kept)) {
        const remedy = 'leave out its writer, or answer a value';
        throw refusal(`streams JSON, which cannot be sent as "${mediaTypes[at]}"; ${remedy}`);
      }
      const { read, writeRow } = byStatus.get(status)!;
      return measured(writers[at]!(read(kept.body), writeRow), at, kept);
    },
  };
}

/** What writes a value that is given row by row as JSON. */
const LIST = { before: '[', between: ',', after: ']' };

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
