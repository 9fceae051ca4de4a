/** The same four requests to six programs, and the page that tells what comes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textFrom } from 'node:stream/consumers';
import { test } from 'node:test';
import { textOf } from '../../house/source-files.ts';
import * as express from './express.ts';
import * as go from './go.ts';
import * as here from './here.ts';
import * as koa from './koa.ts';
import * as plug from './plug.ts';
import * as ring from './ring.ts';

const PROGRAMS: Readonly<Record<string, () => Server>> = {
  here: here.server,
  koa: koa.server,
  ring: ring.server,
  plug: plug.server,
  go: go.server,
  express: express.server,
};

const REQUESTS = [
  ['GET', '/hello/Ada'],
  ['POST', '/hello/Ada'],
  ['GET', '/broken'],
  ['GET', '/nowhere'],
] as const;

interface Answer {
  readonly status: number;
  readonly seen: string | undefined;
  readonly body: string;
}

/** Undefined where the connection ends without a reply. */
async function ask(port: number, method: string, path: string): Promise<Answer | undefined> {
  const asked = request({ port, method, path, agent: false }).end();
  try {
    const [reply] = await once(asked, 'response');
    return { status: reply.statusCode, seen: reply.headers['x-seen'], body: await textFrom(reply) };
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    return undefined;
  }
}

const page = textOf('test/lessons/elsewhere/README.md');

for (const [name, serverOf] of Object.entries(PROGRAMS))
  test(`elsewhere – four requests to ${name}.ts → what the page says`, async (t) => {
    const server = serverOf().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const cells: string[] = [];
    for (const [method, path] of REQUESTS) {
      const answer = await ask(port, method, path);
      if (answer?.status === 200) assert.equal(answer.body, 'Hello Ada');
      if (answer?.status === 503) assert.match(answer.body, /Only reading today/);
      cells.push(answer === undefined ? 'no reply' : `${answer.status}, X-Seen ${answer.seen ?? 'missing'}`);
    }
    const row = `| [\`${name}.ts\`](${name}.ts) | ${cells.join(' | ')} |`;
    assert.ok(page.includes(row), `The page has no row\n${row}`);
  });
