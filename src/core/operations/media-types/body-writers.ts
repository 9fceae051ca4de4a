/** Writes the bodies of an operation: JSON by the schema of the response, other media types by their writers (D72). */
import type { Readable } from 'node:stream';
import { InvalidReply } from '../../message/reply-fault.ts';
import { isStreamed, type Representation, type StreamedRepresentation } from '../../message/representation.ts';
import { article } from '../../options/assert-options.ts';
import type { Operation, Writer } from '../operation/operation.ts';
import type { PropertyNaming } from '../schema/names.ts';
import { deserializer, serializer, WrongValue } from '../schema/serialize.ts';

/** The texts or bytes of a body, and their length in bytes. */
type WrittenBody = Pick<Representation<unknown>, 'body' | 'length'>;
/** The stream of a body, and its length where it is known. */
type StreamedBody = { readonly body: Readable; readonly length: number | undefined };

/** The writers of one operation. */
export class BodyWriters {
  /** The media types that `Accept` chooses from. `at` is the position of one of them. */
  readonly mediaTypes: readonly string[];
  /** By status: writes a value as JSON, and reads the text of a representation. */
  readonly #json = new Map<number, { write: Writer<unknown>; read: (text: string) => unknown }>();
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
      if (schema !== undefined)
        this.#json.set(Number(status), {
          write: this.#naming(status, serializer(schema, naming) as Writer<unknown>),
          read: deserializer(schema, naming),
        });
  }

  /** The body for a value of a status that has a schema. */
  write(status: number, value: unknown, at: number): WrittenBody {
    if (value instanceof Promise) {
      // Its own failure has nobody who waits for it, and would end the process.
      value.catch(() => {});
      throw this.#refusal('returned a promise as the body; await it, as in ok(await …)');
    }
    const write = this.#writers[at] ?? this.#json.get(status)!.write;
    return this.#measured(write(value), at);
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
    return write === undefined ? kept : this.#measured(write(this.#json.get(status)!.read(textOf(kept))), at);
  }

  /** The writer, whose errors name the operation. */
  #naming(status: string, write: Writer<unknown>): Writer<unknown> {
    return (value) => {
      try {
        return write(value);
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

  #measured(body: unknown, at: number): WrittenBody {
    if (typeof body === 'string') return { body, length: Buffer.byteLength(body) };
    if (body instanceof Uint8Array) return { body: [body], length: body.length };
    const returned = body === undefined || body === null ? String(body) : article(typeof body);
    throw new InvalidReply(
      `The writer of "${this.mediaTypes[at]}" of the operation "${this.#id}" returned ${returned}; return a text or bytes`,
    );
  }
}

const textOf = ({ body }: Representation<unknown>): string =>
  typeof body === 'string' ? body : Buffer.concat(body).toString();

/** A row, of which the named columns are written. */
type Row<Column extends string> = { readonly [Name in Column]?: string | number | bigint | boolean | null | undefined };

/**
 * Returns a writer of `text/csv`: a line with the names of the columns, and one for each row. An absent member and null
 * are empty. A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe in front,
 * because spreadsheets would take it for a formula.
 *
 *     const writers = { 'text/csv': csv(['key', 'name', 'isComplete']) };
 */
export const csv =
  <const Column extends string>(columns: readonly Column[]): ((rows: readonly Row<Column>[]) => string) =>
  (rows) =>
    [columns.map(field), ...rows.map((row) => columns.map((column) => field(row[column])))]
      .map((fields) => `${fields.join(',')}\r\n`)
      .join('');

function field(value: Row<string>[string]): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
