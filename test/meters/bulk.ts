/** Many readings: imports, exports, and readings as they come. */
import { type EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Violation } from '../../src/extending.ts';
import { events } from '../../src/extensions/events/events.ts';
import { byteStream } from '../../src/extensions/uploads/upload.ts';
import { HttpProblem, notFound, ok, operation, problem, type Security } from '../../src/index.ts';
import { csv, ndjson } from '../../src/operations/media-types/list-formats.ts';
import { bodyValidator } from '../../src/operations/schema/judge.ts';
import { inUtc, READING, TIME } from './model.ts';
import type { Arrival, MeterStore, Reading } from './store.ts';

/** A longer line is none of a reading. */
const MAX_LINE = 1000;
/** More faults are counted, and not told one by one. */
const MAX_ERRORS = 100;
/** What is set aside in one step. */
const BATCH = 500;

interface Parts {
  readonly store: MeterStore;
  readonly news: EventEmitter;
  readonly reader: Security;
  readonly keeper: Security;
}

const validated = bodyValidator(READING, 'camelCase');
type Judged = ReturnType<typeof validated>;

/** Of NDJSON, each line is a reading in JSON; of CSV, the first line has the names of the columns. */
const LINE_READERS: Readonly<Record<string, () => (line: string) => Judged | undefined>> = {
  'application/x-ndjson': () => (line) => {
    try {
      return validated(JSON.parse(line), line);
    } catch {
      return { errors: [{ pointer: '', detail: 'This is no JSON' }] };
    }
  },
  'text/csv'() {
    let names: readonly string[] | undefined;
    return (line) => {
      const fields = line.split(',').map((field) => field.trim());
      if (names === undefined) {
        names = fields;
        return undefined;
      }
      const row = Object.fromEntries(names.map((name, at) => [name, fields[at]]));
      const value = row['value'] === undefined || row['value'] === '' ? undefined : Number(row['value']);
      const sent = { ...row, ...(value !== undefined && { value: Number.isNaN(value) ? row['value'] : value }) };
      return validated(sent, JSON.stringify(sent));
    };
  },
};

/** The lines of a text in UTF-8, without their ends; empty ones are left out. */
async function* linesOf(body: Readable): AsyncGenerator<readonly [number: number, line: string]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new HttpProblem(400, `The text behind line ${number} is not UTF-8`);
    }
  };
  for await (const chunk of body) {
    const lines = (rest + decode(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (++number && line.trim() !== '') yield [number, line];
    if (rest.length > MAX_LINE) throw new HttpProblem(400, `Line ${number + 1} is longer than ${MAX_LINE} characters`);
  }
  rest += decode();
  if (rest.trim() !== '') yield [number + 1, rest];
}

/** The operations. `news` emits the serial number of a meter that has new readings. */
export function bulk({ store, news, reader, keeper }: Parts) {
  return [
    operation({
      method: 'POST',
      path: 'imports',
      summary: 'Adds many readings: all of them, or none if a line is refused',
      remarks: 'The pointer of an error begins with the number of the line, counted from 1.',
      security: keeper,
      body: byteStream({ mediaTypes: ['application/x-ndjson', 'text/csv'], maxBytes: 256 * 1024 ** 2 }),
      responses: {
        200: {
          schema: {
            type: 'object',
            required: ['lines', 'added'],
            properties: {
              lines: { type: 'integer', description: 'The readings that were sent' },
              added: { type: 'integer', description: 'Those that were not there' },
            },
          },
        },
        400: { description: 'If a line is refused' },
      },
      async handle({ context, body }) {
        const [mediaType = ''] = (context.headers['content-type'] ?? '').toLowerCase().split(';');
        const read = LINE_READERS[mediaType.trim()]!();
        const errors: Violation[] = [];
        const meters = new Set<string>();
        let [lines, refused] = [0, 0];
        let batch: Reading[] = [];
        const aside = store.beginImport();
        try {
          for await (const [number, line] of linesOf(body)) {
            const judged = read(line);
            if (judged === undefined) continue;
            lines += 1;
            const faults = judged.errors ?? unknownMeter(judged.value.meter);
            if (faults.length > 0) {
              refused += 1;
              for (const { pointer = '', detail } of faults)
                if (errors.length < MAX_ERRORS) errors.push({ pointer: `/${number}${pointer}`, detail });
            } else if (refused === 0) {
              const { meter, at, value } = judged.value!;
              meters.add(meter);
              batch.push({ meter, at: inUtc(at), value });
              if (batch.length === BATCH) {
                aside.add(batch);
                batch = [];
              }
            }
          }
          if (refused > 0)
            return problem(400, `${refused} of ${lines} readings are refused, so none is added`, { errors, refused });
          aside.add(batch);
          const added = await aside.keep();
          for (const meter of meters) news.emit(meter);
          return ok({ lines, added });
        } finally {
          aside.close();
        }

        function unknownMeter(meter: string): Violation[] {
          if (meters.has(meter) || store.meter(meter) !== undefined) return [];
          return [{ pointer: '/meter', detail: `There is no meter "${meter}"` }];
        }
      },
    }),
    operation({
      method: 'GET',
      path: 'readings',
      summary: 'Exports readings in the order of meters and times',
      security: reader,
      query: { meter: { type: 'string' }, since: TIME, until: TIME },
      responses: { 200: { schema: { type: 'array', items: READING } } },
      writers: { 'text/csv': csv(['meter', 'at', 'value']), 'application/x-ndjson': ndjson() },
      handle: ({ query: { meter, since, until } }) =>
        ok(store.eachReading({ meter, since: inUtc(since), until: inUtc(until) })),
    }),
    operation({
      method: 'GET',
      path: 'meters/{meter}/live',
      summary: 'Tells each reading as it comes, and those since Last-Event-ID',
      security: reader,
      responses: { 200: { mediaType: 'text/event-stream' }, 404: {} },
      handle({ context, values: { meter } }) {
        if (store.meter(meter) === undefined) return notFound(`There is no meter "${meter}"`);
        return events(context, async function* ({ lastEventId, signal }) {
          let last = Number(lastEventId ?? store.latest());
          for (;;) {
            const arrivals: readonly Arrival[] = store.arrivals(meter, last, 100);
            for (const { number, reading } of arrivals) yield { id: (last = number), event: 'reading', data: reading };
            // Nothing is awaited between the question and the wait, so no reading comes between them.
            if (arrivals.length === 0) await once(news, meter, { signal });
          }
        });
      },
    }),
  ];
}
