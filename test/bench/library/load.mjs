/**
 * Load on a server: some connections, one request at a time on each, and what it cost the server in processor time,
 * which hardly moves while the generator, another process, is the slower of both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinned } from './machine.mjs';
import { processorTime } from './processor-time.mjs';

const GENERATOR = fileURLToPath(new URL('load-generator.mjs', import.meta.url));

let generator;
let plans = 0;

/** Starts the generator on the processor that the servers leave to it. It ends when this process disconnects. */
function startGenerator() {
  const [program, ...parameters] = pinned(1, [process.execPath, GENERATOR]);
  return fork(GENERATOR, [], { execPath: program, execArgv: parameters.slice(0, -1) }).once('exit', (code) => {
    if (code !== 0) throw new Error(`The load generator ended with ${code}`);
  });
}

/** Sends a message to the generator and resolves with its answer. Only one message is on its way at a time. */
async function tell(message) {
  generator ??= startGenerator();
  generator.send(message);
  const [answer] = await once(generator, 'message');
  return answer;
}

/** The text of one request as it is written into a connection. */
function requestText({ method = 'GET', path, body }) {
  const length =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: '127.0.0.1', ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Ends the generator. */
export async function stopLoad() {
  if (generator === undefined) return;
  const ended = once(generator, 'exit');
  generator.disconnect();
  await ended;
  generator = undefined;
}

/**
 * Opens 64 connections. `slice` resolves with the figures of so many requests, or as many as are answered within so
 * many milliseconds.
 */
export async function openLoad({ server, request }) {
  const plan = ++plans;
  await tell({ act: 'open', plan, port: server.port, request: requestText(request), connections: 64 });
  return {
    slice: async (amount) => {
      const before = processorTime(server.pid);
      const figures = await tell({ act: 'run', plan, ...amount });
      const microseconds = (processorTime(server.pid) - before) / 1000 / figures.answers;
      return {
        ...figures,
        microseconds: Number.isFinite(microseconds) ? microseconds : (figures.elapsed * 1000) / figures.answers,
      };
    },
    close: () => tell({ act: 'close', plan }),
  };
}
