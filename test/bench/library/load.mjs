/**
 * Load on a server: some connections, one request at a time on each, and what it cost the server.
 *
 * With `wrk` where it is installed and a slice takes a second or more, else with the project's own generator. `busy` is
 * the generator's share of its processor: near 1 it is what is measured, and the table says so.
 */
import { installed } from './machine.mjs';
import { processorTime } from './processor-time.mjs';
import { startSubject } from './subject.mjs';
import { openWrk } from './wrk.mjs';

let generator;
let plans = 0;

/** The text of one request as it is written into a connection. */
export function requestText({ method = 'GET', path, headers = {}, body }) {
  const length =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: '127.0.0.1', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

async function openOwn(parameters) {
  generator ??= startSubject(new URL('load-generator.mjs', import.meta.url).pathname, { processor: 1 });
  const plan = ++plans;
  await generator.ask({ act: 'open', plan, ...parameters });
  return {
    run: (milliseconds) => generator.ask({ act: 'run', plan, milliseconds }),
    close: () => generator.ask({ act: 'close', plan }),
  };
}

/** Ends the generator. */
export async function stopLoad() {
  await generator?.stop();
  generator = undefined;
}

/** Opens the connections. `slice` resolves with the figures of some milliseconds of load. */
export async function openLoad({ server, requests, connections = 64, program = 'own' }) {
  const open = program === 'wrk' && installed('wrk') ? openWrk : openOwn;
  const load = await open({ port: server.port, requests: requests.map(requestText), connections });
  return {
    close: load.close,
    async slice(milliseconds) {
      const before = processorTime(server.pid);
      const figures = await load.run(milliseconds);
      const microseconds = (processorTime(server.pid) - before) / 1000 / figures.answers;
      return {
        ...figures,
        perSecond: (figures.answers / figures.elapsed) * 1000,
        microseconds: Number.isFinite(microseconds) ? microseconds : (figures.elapsed * 1000) / figures.answers,
      };
    },
  };
}
