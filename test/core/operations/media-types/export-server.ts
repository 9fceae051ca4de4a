/**
 * A process that serves a list of many rows in three media types, and tells its parent the memory that it takes: the
 * resident set in bytes, at rest and the most since the last question.
 */
import { application } from '../../../../src/core/application/application.ts';
import { ok } from '../../../../src/core/operations/operation/answers.ts';
import { operation } from '../../../../src/core/operations/operation/operation.ts';
import { HttpService } from '../../../../src/core/wire/service.ts';
import { csv, ndjson } from '../../../../src/extensions/media-types/media-types.ts';

const NAME = 'x'.repeat(80);
function* rows(count: number) {
  for (let id = 0; id < count; id++) yield { id, name: NAME };
}
async function* cursor(count: number) {
  yield* rows(count);
}

const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } as const;
const list = operation({
  method: 'GET',
  path: '',
  query: { count: { type: 'integer', required: true }, waits: { type: 'boolean', default: false } },
  responses: { 200: { schema: { type: 'array', items: item } } },
  writers: { 'text/csv': csv(['id', 'name']), 'application/x-ndjson': ndjson() },
  handle: ({ query: { count, waits } }) => ok(waits ? cursor(count) : rows(count)),
});
const controllers = [{ name: 'Rows', path: 'rows', operations: [list] }];
const service = new HttpService(application([{ name: 'rows', controllers }]));
const { port } = await service.listen(0);

let most = 0;
const sample = (): number => {
  const { rss } = process.memoryUsage();
  most = Math.max(most, rss);
  return rss;
};
setInterval(sample, 5).unref();
process.on('message', () => {
  sample();
  process.send!({ most });
  most = 0;
});
process.once('disconnect', () => process.exit());
process.send!({ port });
