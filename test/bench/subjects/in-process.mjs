/**
 * A whole service, unchanged, without a kernel: its `listen` is taken over, and in-memory sockets are handed to its
 * server.
 *
 * What is timed is JavaScript and Node's parser alone, so that a difference of 1 % shows which drowns in the noise of
 * real sockets. Eight sockets have one request each; when the eight answers are there, the next eight follow in a new
 * turn of the event loop, as they do from a network.
 */
import { Server } from 'node:http';
import { Duplex } from 'node:stream';
import { takeTurns } from './turn.mjs';

const SOCKETS = 8;
let outstanding = 0;
let count = 0;
let text;
let next = () => {};

/** Every small answer leaves in one write, so an answer is a write that begins with `HTTP/`. */
class MemorySocket extends Duplex {
  _read() {}
  _write(chunk, _, written) {
    this.take(chunk);
    written();
  }
  _writev(writes, written) {
    for (const { chunk } of writes) this.take(chunk);
    written();
  }
  take(chunk) {
    if (text !== undefined) text += chunk.latin1Slice();
    if (chunk[0] !== 72 || chunk[4] !== 47) return;
    count++;
    if (--outstanding === 0) setImmediate(next);
  }
  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
}

const sockets = [];
const listening = new Promise((resolve) => {
  Server.prototype.listen = function (...parameters) {
    this.once('listening', parameters.findLast((parameter) => typeof parameter === 'function') ?? (() => {}));
    this.address = () => ({ address: '127.0.0.1', port: 1, family: 'IPv4' });
    setImmediate(() => {
      this.emit('listening');
      setImmediate(resolve, this);
    });
    return this;
  };
});
await import(process.env.BENCH_SERVER);
const server = await listening;

/**
 * The sockets, open: a service closes those on which nothing comes in for long, as while another subject is being
 * filled.
 */
function openSockets() {
  for (let at = 0; at < SOCKETS; at++) {
    if (sockets[at] !== undefined && !sockets[at].destroyed && !sockets[at].writableEnded) continue;
    sockets[at] = new MemorySocket();
    server.emit('connection', sockets[at]);
  }
  return sockets;
}

/** One request, and the whole of its answer. */
function ask(request) {
  text = '';
  outstanding = 1;
  return new Promise((resolve) => {
    next = () => {
      const answer = text;
      text = undefined;
      resolve({ answer });
    };
    openSockets()[0].push(Buffer.from(request, 'latin1'));
  });
}

/**
 * So many milliseconds of these requests in turns; nanoseconds on a processor by the request, those of the collector
 * included.
 */
function run(requests, milliseconds) {
  const bytes = requests.map((request) => Buffer.from(request, 'latin1'));
  let at = 0;
  const fire = () => {
    outstanding = SOCKETS;
    for (const socket of sockets) socket.push(bytes[at++ % bytes.length]);
  };
  return new Promise((resolve) => {
    const before = count;
    const until = performance.now() + milliseconds;
    const used = process.cpuUsage();
    next = () => {
      if (performance.now() < until) return fire();
      const { user, system } = process.cpuUsage(used);
      return resolve({ nanoseconds: ((user + system) * 1000) / (count - before) });
    };
    openSockets();
    fire();
  });
}

takeTurns(({ act, requests, milliseconds }) => (act === 'ask' ? ask(requests[0]) : run(requests, milliseconds)));
