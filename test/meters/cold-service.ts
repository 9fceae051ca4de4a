/** A service that has exports and imports and nothing else: `cold.ts` starts one for each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { csv, ndjson } from '../../src/extensions/media-types/media-types.ts';
import { byteStream, formStream } from '../../src/extensions/uploads/upload.ts';
import { application, ok, operation, serve } from '../../src/index.ts';
import { READING } from './model.ts';

const bytes = Number(process.argv[2]);
/** Of a reading in JSON, with its comma. */
const READING_BYTES = 66;

function* readings() {
  for (let minute = 0; minute < bytes / READING_BYTES; minute += 1)
    yield { meter: 'EL0001', at: new Date(minute * 60_000).toISOString(), value: minute };
}
async function* readingsLater() {
  yield* readings();
}

const exported = (path: string, rows: typeof readings | typeof readingsLater) =>
  operation({
    method: 'GET',
    path,
    responses: { 200: { schema: { type: 'array', items: READING } } },
    writers: { 'text/csv': csv(['meter', 'at', 'value']), 'application/x-ndjson': ndjson() },
    handle: () => ok(rows()),
  });

const maxBytes = 2 ** 30;
const responses = { 200: { schema: { type: 'integer' } } } as const;

/** The length of a stream, which is read as it comes, or with a wait behind each of its chunks. */
async function lengthOf(stream: AsyncIterable<Uint8Array>, waits: boolean): Promise<number> {
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (waits) await sleep(1);
  }
  return length;
}

const imported = (prefix: string, waits: boolean) => [
  operation({
    method: 'POST',
    path: `${prefix}raw`,
    body: byteStream({ mediaTypes: ['application/octet-stream'], maxBytes }),
    responses,
    handle: async ({ body }) => ok(await lengthOf(body, waits)),
  }),
  operation({
    method: 'POST',
    path: `${prefix}form`,
    body: formStream({ file: { type: 'file' } }, { maxBytes }),
    responses,
    async handle({ body }) {
      let length = 0;
      for await (const { stream } of body.files) length += await lengthOf(stream, waits);
      return ok(length);
    },
  }),
];

const operations = [
  exported('readings', readings),
  exported('readings-later', readingsLater),
  ...imported('', false),
  ...imported('slow-', true),
];
const composed = application([{ name: 'cold', controllers: [{ name: 'Cold', path: '', operations }] }]);
process.send!((await serve(composed, { port: 0 })).url);
