/** The files of the page, against the same bytes from memory; a peer serves the same folder. */
import { fileURLToPath } from 'node:url';
import { ask } from '../library/ask.mjs';
import { filesTable } from '../library/files-table.mjs';
import { recordedFloor } from '../library/recording.mjs';
import { startServer } from '../library/server-process.mjs';
import { hasPeer } from '../library/targets.mjs';

const SCRIPT = '/swagger/ui/swagger-ui-bundle.js';
const PAGE = '/swagger/ui/';
const FOLDER = fileURLToPath(new URL('../../../static/swagger-ui', import.meta.url));

const coded = (coding) => async () => ({ 'Accept-Encoding': coding });
const known = (path) => async (server) => {
  const headers = { 'Accept-Encoding': 'identity' };
  const {
    headers: { etag },
  } = await ask(server.port, 'GET', server.pathOf?.(path) ?? path, { headers });
  return { ...headers, 'If-None-Match': etag };
};

const LINES = [
  { line: 'script, plain', path: SCRIPT, headers: coded('identity') },
  { line: 'script, gzip', path: SCRIPT, headers: coded('gzip') },
  { line: 'script, br', path: SCRIPT, headers: coded('br') },
  { line: 'small page', path: PAGE, headers: coded('identity') },
  { line: 'script, 304', path: SCRIPT, headers: known(SCRIPT) },
  { line: 'small page, 304', path: PAGE, headers: known(PAGE) },
];

export async function staticFiles(settings) {
  const ours = await startServer({ ...settings.service, probe: PAGE });
  const floor = await recordedFloor(ours, [SCRIPT, PAGE], ['identity', 'gzip', 'br']);
  const servers = [floor, ours];
  if (hasPeer('sirv') && !settings.quick) {
    const file = fileURLToPath(new URL('../peers/sirv.mjs', import.meta.url));
    const sirv = await startServer({ name: 'sirv', file, env: { BENCH_FOLDER: FOLDER }, probe: '/' });
    servers.push({ ...sirv, pathOf: (path) => path.slice('/swagger/ui'.length) });
  }
  const text = await filesTable('static', servers, LINES, settings);
  for (const server of servers) await server.stop();
  return text;
}
