/**
 * `wrk` as the load generator: in C, so further from being the limit than anything written here; a slice takes whole
 * seconds.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinned } from './machine.mjs';
import { processorTime } from './processor-time.mjs';

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let scripts = 0;

const escaped = (letter) => `\\${letter.charCodeAt(0).toString().padStart(3, '0')}`;
const quoted = (text) => `"${text.replace(/[^ -!#-[\]-~]/g, escaped)}"`;

const REPEATED = 'function wrk.format() return requests[1] end';
const IN_TURNS = 'function request() at = at % #requests + 1; return requests[at] end';

/** The requests as a script: one is formatted once and repeated by wrk itself, several take turns. */
const scriptOf = (requests) => `local requests = {${requests.map(quoted).join(', ')}}
local at = 0
${requests.length === 1 ? REPEATED : IN_TURNS}
function done(summary, latency)
  io.write(string.format('\\n@%d %d %f %f %d %d', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end`;

/** See `load.mjs`. */
export function openWrk({ port, requests, connections }) {
  const script = join(folder, `${++scripts}.lua`);
  writeFileSync(script, scriptOf(requests));
  return {
    run: (milliseconds) =>
      new Promise((resolve, reject) => {
        const seconds = Math.max(1, Math.round(milliseconds / 1000));
        const [program, ...parameters] = pinned(1, [
          'wrk',
          '-t1',
          `-c${connections}`,
          `-d${seconds}s`,
          '-s',
          script,
          `http://127.0.0.1:${port}/`,
        ]);
        const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'] });
        let text = '';
        let busy = NaN;
        child.stdout.on('data', (chunk) => {
          text += chunk;
        });
        setTimeout(
          () => {
            busy = processorTime(child.pid) / 1e6 / (seconds * 1000 - 100);
          },
          seconds * 1000 - 100,
        );
        child.once('error', reject).once('close', () => {
          const figures = /\n@(.*)$/.exec(text)?.[1].split(' ').map(Number);
          if (figures === undefined) return reject(new Error(`wrk said: ${text}`));
          const [answers, microseconds, half, late, bad, broken] = figures;
          return resolve({
            answers,
            bad,
            broken,
            elapsed: microseconds / 1000,
            busy,
            half: half / 1000,
            late: late / 1000,
          });
        });
      }),
    close: async () => {},
  };
}
