/**
 * Answers requests that hold 64 KiB each, on connections that stay open, and prints as JSON how many are still in
 * memory: after collections of the new space alone, and after a full one.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pipeline } from '../../../../src/core/pipeline/pipeline.ts';
import { HttpService } from '../../../../src/core/wire/service.ts';
import { type Handler, problems, stream, text } from '../../../../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const SIZE = 64 * 1024;
const REQUESTS = 40;

const held = new WeakMap<object, Uint8Array>();
const hold = (context: object): Uint8Array => {
  const bytes = new Uint8Array(SIZE);
  held.set(context, bytes);
  return bytes;
};

// V8 keeps what a generator function refers to until a full collection, so these are made once.
function* rows(bytes: Uint8Array): Generator<string> {
  for (let row = 0; row < 3; row++) yield `${bytes.length}\n`;
}
async function* lateRows(bytes: Uint8Array): AsyncGenerator<string> {
  for (let row = 0; row < 3; row++) yield later(1, `${bytes.length}\n`);
}

/** Each holds its bytes for as long as its request is in memory. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'a body that was read': async (context) => text(String((await context.body()).length)),
  'a handler that waited': async (context) => text(await later(1, String(hold(context).length))),
  'a handler that did not wait': (context) => text(String(hold(context).length)),
  'a stream of rows': (context) => stream(rows(hold(context))),
  'a stream of rows that waited': (context) => stream(lateRows(hold(context))),
};

/** How many requests could hold what is in memory, once V8 has given back what it has found. */
async function inMemory(): Promise<number> {
  await later(50);
  return process.memoryUsage().arrayBuffers / SIZE;
}

const left: Record<string, { readonly minor: number; readonly full: number }> = {};
const body = Buffer.alloc(SIZE);
for (const [name, handler] of Object.entries(HANDLERS)) {
  const service = new HttpService(pipeline([problems()], handler));
  const { port } = await service.listen(0);
  const agents = Array.from({ length: REQUESTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  collect();
  const before = await inMemory();
  for (const agent of agents) {
    const sent = request({ port, agent, method: name.includes('body') ? 'POST' : 'GET' });
    sent.end(name.includes('body') ? body : undefined);
    const [reply] = await once(sent, 'response');
    await once(reply.resume(), 'end');
  }
  for (let time = 0; time < 3; time++) {
    collect({ type: 'minor' });
    await inMemory();
  }
  const minor = (await inMemory()) - before;
  collect();
  left[name] = { minor: Math.round(minor), full: Math.round((await inMemory()) - before) };
  for (const agent of agents) agent.destroy();
  await service.close(0);
}
console.log(JSON.stringify({ requests: REQUESTS, left }));
