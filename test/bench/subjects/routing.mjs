/**
 * One router with one set of routes.
 *
 * Paths are made anew for every batch, flat and without a cached hash, as a parser delivers them – a path that repeats
 * makes a `Map` look four times as fast as it is. Making them is not timed, every result is kept for a while, and what
 * is found is checked before anything is timed.
 */
import { requestsFor, restRoutes } from '../library/route-sets.mjs';
import { ROUTERS } from './routers.mjs';
import { takeTurns, timed } from './turn.mjs';

const routes = restRoutes(Number(process.env.BENCH_ROUTES));
const { build, find: finder, told } = await ROUTERS[process.env.BENCH_ROUTER](routes);
const kept = new Array(64);
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const started = process.hrtime.bigint();
const built = build();
const find = finder(built);
kept[0] = find('GET', '/api/users/1');
const building = Number(process.hrtime.bigint() - started);
globalThis.gc();
const bytes = process.memoryUsage().heapUsed - before;
const streams = requestsFor(routes);

for (const { method, path, position, values } of Object.values(streams).flatMap((stream) => stream.slice(0, 200))) {
  const found = told(find(method, path)) ?? undefined;
  const right =
    position === undefined
      ? found === undefined
      : found?.position === position && Object.entries(values).every(([name, value]) => found.values[name] === value);
  if (!right)
    throw new Error(
      `${process.env.BENCH_ROUTER}: ${method} ${path} gave ${JSON.stringify(found)} instead of ${JSON.stringify({ position, values })}`,
    );
}

const batches = Object.fromEntries(Object.entries(streams).map(([name, stream]) => [name, batchOf(stream)]));

function batchOf(stream) {
  const text = Buffer.from(stream.map(({ path }) => path).join(''), 'latin1');
  const paths = new Array(stream.length);
  const methods = stream.map(({ method }) => method);
  const prepare = () => {
    let from = 0;
    for (const [
      at,
      {
        path: { length },
      },
    ] of stream.entries())
      paths[at] = text.latin1Slice(from, (from += length));
  };
  const run = (count) => {
    for (let at = 0; at < count; at++) kept[at & 63] = find(methods[at], paths[at]);
    return count;
  };
  return { prepare, run, length: stream.length };
}

takeTurns(({ act, load, milliseconds }) => {
  if (act === 'building') return { nanoseconds: building / routes.length, bytes: bytes / routes.length };
  const { prepare, run, length } = batches[load];
  // One that takes a tenth of a millisecond for each is not asked two thousand times for one part.
  const trial = timed(() => run(8), 0, prepare);
  const count = Math.max(8, Math.min(length, Math.round(1e6 / trial)));
  return { nanoseconds: timed(() => run(count), milliseconds, prepare) };
});
