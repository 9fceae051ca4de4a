/**
 * Load on a server: some connections, one request at a time on each, and what it cost the server in processor time,
 * which hardly moves while the generator, another process, is the slower of both.
 */
import { processorTime } from './processor-time.mjs';
import { startSubject } from './subject.mjs';

let generator;
let plans = 0;

/** The text of one request as it is written into a connection. */
function requestText({ method = 'GET', path, headers = {}, body }) {
  const length =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: '127.0.0.1', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Ends the generator. */
export async function stopLoad() {
  await generator?.stop();
  generator = undefined;
}

/**
 * Opens the connections. `slice` resolves with the figures of so many requests, or as many as are answered within so
 * many milliseconds.
 */
export async function openLoad({ server, requests, connections = 64 }) {
  generator ??= startSubject(new URL('load-generator.mjs', import.meta.url).pathname, { processor: 1 });
  const plan = ++plans;
  await generator.ask({ act: 'open', plan, port: server.port, requests: requests.map(requestText), connections });
  return {
    slice: async (amount) => {
      const before = processorTime(server.pid);
      const figures = await generator.ask({ act: 'run', plan, ...amount });
      const microseconds = (processorTime(server.pid) - before) / 1000 / figures.answers;
      return {
        ...figures,
        microseconds: Number.isFinite(microseconds) ? microseconds : (figures.elapsed * 1000) / figures.answers,
      };
    },
    close: () => generator.ask({ act: 'close', plan }),
  };
}
