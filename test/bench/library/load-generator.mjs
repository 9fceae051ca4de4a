/**
 * The project's own load generator: a process that holds keep-alive connections and writes ready-made requests into
 * them.
 *
 * One request at a time on each connection; the next is written when the answer to the last is complete. Told by
 * messages what to open, run and close, so that connections and warm-up outlive a slice and slices can be short.
 */
import { connect } from 'node:net';
import { Answers } from './answers.mjs';
import { MADE } from './made-key.mjs';
import { quantile } from './statistics.mjs';

const plans = new Map();
/** In the answer to a POST. */
const KEY = /^HTTP\/1\.1 201 [^]*"key":"([^"]+)"/;

/** One connection of a plan. */
class Line {
  constructor(plan, at) {
    this.plan = plan;
    this.next = at;
    this.answers = new Answers();
    /** The key of the item that this connection has made and not named since. */
    this.made = undefined;
    /** When the request that is not answered yet began; undefined between two. */
    this.sent = undefined;
  }

  /** Resolves when the connection is there. A server may close one that is not used for long, so it is asked again. */
  open() {
    if (this.socket?.readyState === 'open') return undefined;
    const { plan } = this;
    this.socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
    const opened = new Promise((resolve) => this.socket.once('connect', resolve).once('close', resolve));
    this.socket
      .on('data', (chunk) => this.take(chunk))
      .on('error', () => {})
      .on('close', () => {
        if (this.sent === undefined) return;
        plan.broken++;
        plan.done();
      });
    return opened;
  }

  /** `began`: before now where the request has waited for a connection. */
  fire(began = performance.now()) {
    this.sent = began;
    this.plan.outstanding++;
    this.plan.left--;
    this.socket.write(this.request());
  }

  /** The next request; one that needs an item is left out while this connection has made none. */
  request() {
    const { requests } = this.plan;
    let request = requests[this.next++ % requests.length];
    while (typeof request === 'string' && this.made === undefined) request = requests[this.next++ % requests.length];
    if (typeof request !== 'string') return request;
    const named = request.replace(MADE, this.made);
    this.made = undefined;
    return named;
  }

  take(chunk) {
    const { plan } = this;
    if (plan.needsMade) this.made ??= KEY.exec(chunk.latin1Slice())?.[1];
    if (this.answers.completedBy(chunk) === 0) return;
    plan.times.push(performance.now() - this.sent);
    this.answered();
  }

  answered() {
    this.sent = undefined;
    this.plan.outstanding--;
    this.plan.next(this);
  }
}

/** Most connections that are opened at a time: more would not be accepted at once. */
const TOGETHER = 200;
/** A server that does not answer for so long ends a slice. */
const LONGEST_MS = 30_000;

async function open({ plan: id, port, requests, connections }) {
  const plan = {
    port,
    // A text is completed with the key of an item before it is sent.
    requests: requests.map((text) => (text.includes(MADE) ? text : Buffer.from(text, 'latin1'))),
    needsMade: requests.some((text) => text.includes(MADE)),
    outstanding: 0,
  };
  plan.lines = Array.from({ length: connections }, (_, at) => new Line(plan, at));
  plans.set(id, plan);
  await connected(plan);
  return {};
}

async function connected({ lines }) {
  for (let at = 0; at < lines.length; at += TOGETHER)
    await Promise.all(lines.slice(at, at + TOGETHER).map((line) => line.open()));
}

/** So many requests, or as many as are answered within so many milliseconds, on all connections. */
const run = ({ plan: id, requests = Infinity, milliseconds = LONGEST_MS }) =>
  measured(plans.get(id), milliseconds, (plan, until) => {
    const goesOn = () => plan.left > 0 && performance.now() < until;
    plan.left = requests;
    plan.next = (line) => {
      if (goesOn()) line.fire();
      else if (plan.outstanding === 0) plan.done();
    };
    for (const line of plan.lines) if (goesOn()) line.fire();
  });

/**
 * A request each `1 / perSecond` seconds, whether earlier ones are answered or not: one that finds no free connection
 * waits, and its time counts from when it should have begun.
 */
const pace = ({ plan: id, perSecond, milliseconds }) =>
  measured(plans.get(id), milliseconds, (plan, until) => {
    const free = [...plan.lines];
    let due = performance.now();
    plan.next = (line) => {
      free.push(line);
      if (due >= until && plan.outstanding === 0) plan.done();
    };
    const tick = () => {
      const now = performance.now();
      for (; due < until && due <= now && free.length > 0; due += 1000 / perSecond) free.pop().fire(due);
      if (due < until) setImmediate(tick);
      else if (plan.outstanding === 0) plan.done();
    };
    tick();
  });

async function measured(plan, milliseconds, begin) {
  await connected(plan);
  plan.times = [];
  plan.broken = 0;
  const used = process.cpuUsage();
  const started = performance.now();
  let timer;
  await new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds + LONGEST_MS);
    plan.done = resolve;
    begin(plan, started + milliseconds);
  });
  clearTimeout(timer);
  const elapsed = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  const bad = plan.lines.reduce((sum, { answers }) => sum + answers.bad, 0);
  for (const { answers } of plan.lines) answers.bad = 0;
  return {
    answers: plan.times.length,
    bad,
    broken: plan.broken + plan.outstanding,
    elapsed,
    busy: (user + system) / 1000 / elapsed,
    half: quantile(plan.times, 0.5),
    late: quantile(plan.times, 0.99),
  };
}

async function close({ plan: id }) {
  const plan = plans.get(id);
  plans.delete(id);
  for (const { socket } of plan.lines) socket.destroy();
  return {};
}

process.on('message', async ({ number, act, ...parameters }) =>
  process.send({ number, ...(await { open, run, pace, close }[act](parameters)) }),
);
process.on('disconnect', () => process.exit(0));
