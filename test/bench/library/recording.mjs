/** Answers of the service, written down for the floor that sends them again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './ask.mjs';
import { startServer } from './server-process.mjs';
import { RECORDED } from './targets.mjs';

/** Lines that Node writes by itself. */
const NODES_OWN = /^(?:date|connection|keep-alive)$/i;
const linesOf = ({ lines }) =>
  lines.flatMap((line, at) => (at % 2 === 0 && !NODES_OWN.test(line) ? [line, lines[at + 1]] : []));

/** Asks the server for these paths in these codings; a floor that answers the same, with `stop` that forgets it. */
export async function recordedFloor(server, paths, codings = ['identity']) {
  const recording = [];
  for (const path of paths) {
    for (const coding of codings) {
      const headers = { 'Accept-Encoding': coding };
      const whole = await ask(server.port, 'GET', path, { headers });
      if (whole.status !== 200 || (whole.headers['content-encoding'] ?? 'identity') !== coding) continue;
      const { etag } = whole.headers;
      const unchanged = await ask(server.port, 'GET', path, { headers: { ...headers, 'If-None-Match': etag } });
      if (unchanged.status !== 304) throw new Error(`${path} is answered ${unchanged.status} to a client that has it`);
      recording.push({
        path,
        coding,
        etag,
        lines: linesOf(whole),
        body: whole.body.toString('base64'),
        unchanged: linesOf(unchanged),
      });
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'recording.json');
  writeFileSync(file, JSON.stringify(recording));
  const floor = await startServer({ ...RECORDED, env: { BENCH_RECORDING: file }, probe: paths[0] });
  return {
    ...floor,
    recording,
    stop: async () => {
      await floor.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
