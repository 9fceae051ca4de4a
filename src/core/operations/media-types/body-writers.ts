/** Writes the bodies of an operation: JSON by the schema of the response, other media types by their writers (D72). */
import type { Readable } from 'node:stream';
import { InvalidReply, isIterable } from '../../message/reply-fault.ts';
import { isStreamed, type Representation, type StreamedRepresentation } from '../../message/representation.ts';
import { SourceStream } from '../../message/source-stream.ts';
import { article } from '../../options/assert-options.ts';
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

/** The writers of one operation. */
export class BodyWriters {
  /** The media types that `Accept` chooses from. `at` is the position of one of them. */
  readonly mediaTypes: readonly string[];
  /** By status. */
  readonly #json = new Map<number, WrittenJson>();
  /** By media type, undefined for JSON. */
  readonly #writers: readonly (Writer<unknown> | undefined)[];
  readonly #id: string;

  /** `id` names the operation in errors. */
  constructor(operation: Operation, id: string, naming: PropertyNaming) {
    this.#id = id;
    const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
    this.mediaTypes = writtenMediaTypes(operation);
    this.#writers = this.mediaTypes.map((mediaType) => writers[mediaType]);
    for (const [status, { schema }] of Object.entries(operation.responses))
      if (schema !== undefined) {
        const write = serializer(schema, naming) as (value: unknown) => string;
        this.#json.set(Number(status), {
          write: this.#naming(status, write),
          writeRow: this.#naming(status, rowSerializer(schema, write)),
          isList: schema.type === 'array',
          read: deserializer(schema, naming),
        });
      }
  }

  /** The body for a value of a status that has a schema. */
  write(status: number, value: unknown, at: number): WrittenBody | StreamedBody {
    if (value instanceof Promise) {
      // Its own failure has nobody who waits for it, and would end the process.
      value.catch(() => {});
      throw this.#refusal('returned a promise as the body; await it, as in ok(await …)');
    }
    const json = this.#json.get(status)!;
    const write = this.#writers[at];
    const isByRow = json.isList && isGivenByRow(value);
    if (write === undefined)
      return this.#measured(isByRow ? writtenRows(value, json.writeRow, LIST) : json.write(value), at, value);
    if (isByRow && !isRowsWriter(write)) {
      const remedy = 'make it with rowsWriter(…), or answer an array';
      throw this.#refusal(
        `gives its rows one by one, which the writer of "${this.mediaTypes[at]}" does not take; ${remedy}`,
      );
    }
    return this.#measured(write(value, json.writeRow), at, value);
  }

  /** The body for a value that is kept as JSON. */
  writeKept(
    status: number,
    kept: Representation<unknown> | StreamedRepresentation<unknown>,
    at: number,
  ): WrittenBody | StreamedBody {
    const write = this.#writers[at];
    if (isStreamed(kept)) {
      if (write === undefined) return { body: kept.stream(), length: kept.length };
      const remedy = 'leave out its writer, or answer a value';
      throw this.#refusal(`streams JSON, which cannot be sent as "${this.mediaTypes[at]}"; ${remedy}`);
    }
    if (write === undefined) return kept;
    const { read, writeRow } = this.#json.get(status)!;
    return this.#measured(write(read(kept.body), writeRow), at, kept);
  }

  /** The writer, whose errors name the operation. */
  #naming<Given extends readonly unknown[]>(
    status: string,
    write: (...given: Given) => string,
  ): (...given: Given) => string {
    return (...given) => {
      try {
        return write(...given);
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error;
        const what = `returned a ${status} that is not as it declares: "${error.pointer}" ${error.fault}`;
        throw this.#refusal(`${what}; return what it declares, or declare what it returns`, error);
      }
    };
  }

  #refusal(fault: string, cause?: WrongValue): InvalidReply {
    return new InvalidReply(`The operation "${this.#id}" ${fault}`, cause && { cause });
  }

  /** `value` is released with a source that was made of it. */
  #measured(body: unknown, at: number, value: unknown): WrittenBody | StreamedBody {
    if (typeof body === 'string') return { body, length: Buffer.byteLength(body) };
    if (body instanceof Uint8Array) return { body, length: body.length };
    // The numbers of another view of memory are no parts of a body.
    if (isIterable(body) && !ArrayBuffer.isView(body))
      return { body: new SourceStream(body, value), length: undefined };
    const returned = body === undefined || body === null ? String(body) : article(typeof body);
    throw new InvalidReply(
      `The writer of "${this.mediaTypes[at]}" of the operation "${this.#id}" returned ${returned}; return a text, bytes or a source of them`,
    );
  }
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
