/** The files of the page and the description, against the same bytes from memory. */
import { ask } from '../library/ask.mjs';
import { openLoad } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { recordedFloor } from '../library/recording.mjs';
import { startServer } from '../library/server-process.mjs';

const SCRIPT = '/swagger/ui/swagger-ui-bundle.js';
const PAGE = '/swagger/ui/';
const DESCRIPTION = '/swagger/v1/swagger.json';
const PAIRS = [['ours', 'floor']];

/** Requests before anything counts. */
const WARM_UP = 10_000;
const SIZE_OF_GZIP = 8;

const coded = (coding) => async () => ({ 'Accept-Encoding': coding });
const known = (path) => async (server) => {
  const headers = { 'Accept-Encoding': 'identity' };
  const asked = await ask(server.port, 'GET', path, { headers });
  return { ...headers, 'If-None-Match': asked.headers.etag };
};

/** `size`: how many times a request costs more than a small one. */
const ROWS = [
  { row: 'script, plain', path: SCRIPT, headers: coded('identity'), size: 20 },
  { row: 'script, gzip', path: SCRIPT, headers: coded('gzip'), size: SIZE_OF_GZIP },
  { row: 'script, br', path: SCRIPT, headers: coded('br'), size: SIZE_OF_GZIP },
  { row: 'small page', path: PAGE, headers: coded('identity') },
  { row: 'script, 304', path: SCRIPT, headers: known(SCRIPT) },
  { row: 'small page, 304', path: PAGE, headers: known(PAGE) },
  { row: 'description', path: DESCRIPTION, headers: coded('identity'), size: 2 },
  { row: 'description, 304', path: DESCRIPTION, headers: known(DESCRIPTION) },
];

export async function staticFiles({ quick, service, sets = quick ? 2 : 3, rounds = quick ? 6 : 10 }) {
  const lines = [];
  for (const one of ROWS) {
    const results = await inSets({ sets, rounds, seconds: 10 }, () => opened(one, service));
    lines.push(
      ...linesOf({ row: one.row, results, pairs: PAIRS, costOf: ({ microseconds }) => microseconds, speed: true }),
    );
  }
  return lines;
}

async function opened({ row, path, headers, size = 1 }, service) {
  const target = { ...service, probe: PAGE };
  const servers = [await startServer(target), await startServer({ ...target, name: again('ours') })];
  servers.unshift(await recordedFloor(servers[0], [path], ['identity', 'gzip', 'br']));
  const subjects = [];
  for (const server of servers) {
    const requests = [{ path: path, headers: await headers(server) }];
    const load = await openLoad({ server, requests, connections: 32 });
    const slice = async (count) => {
      const figures = await load.slice({ requests: Math.ceil(count / size) });
      if (figures.bad + figures.broken > 0)
        throw new Error(
          `${server.name}, ${row}: ${figures.bad} answers are errors, ${figures.broken} connections broke`,
        );
      return figures;
    };
    // V8 compiles after so many calls, not after so many bytes; its gzip takes a fifth of the time.
    const small =
      size > SIZE_OF_GZIP ? { path: requests[0].path, headers: { 'Accept-Encoding': 'gzip' } } : requests[0];
    const warm = await openLoad({ server, requests: [small], connections: 32 });
    await warm.slice({ requests: WARM_UP, milliseconds: 60_000 });
    await warm.close();
    await slice(2000);
    const close = async () => {
      await load.close();
      await server.stop();
    };
    subjects.push({ name: server.name, slice: () => slice(2000), close });
  }
  return subjects;
}
