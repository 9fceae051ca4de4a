/** Streams of replies that are not sent, or that fail before they are (D75): nothing stays open. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { application } from '../../../../src/core/application/application.ts';
import { mounted } from '../../../../src/core/application/mounted.ts';
import type { Handler } from '../../../../src/core/http/context.ts';
import { stream, text } from '../../../../src/core/http/replies.ts';
import type { Stage } from '../../../../src/core/pipeline/stage.ts';
import { ok } from '../../../../src/operations/operation/results.ts';
import { operation } from '../../../../src/operations/routes/operation-routes.ts';
import { bytes } from '../../../../src/operations/uploads/upload.ts';
import { allowedMethods } from '../../../../src/shelf/methods/methods.ts';
import { ask } from '../../../support/ask.ts';
import { plain, routed } from '../../../support/plain-routes.ts';
import { serveHandler } from '../../../support/serve.ts';
import { throwing } from '../../../support/throwing.ts';

const absent = (): Readable => createReadStream('/there is no such file');

/** A stage that waits until a stream has failed or has been destroyed. */
const waiting: Stage = async (context, next) => {
  const reply = await next(context);
  if (reply.body instanceof Readable && !reply.body.closed) await once(reply.body, 'close').catch(() => {});
  return reply;
};

for (const [asked, method, stages, make, status] of [
  ['HEAD of a stream that fails', 'HEAD', [], absent, 200],
  ['HEAD by the route of GET', 'HEAD', [allowedMethods], absent, 200],
  ['a stream that fails while a stage waits', 'GET', [waiting], absent, 500],
  [
    'a stream that is destroyed while a stage waits',
    'GET',
    [waiting],
    () =>
      new Readable({
        read() {
          this.destroy();
        },
      }),
    500,
  ],
] as const)
  test(`D75 – ${asked} → ${status}, and the next request is answered`, async () => {
    const logged: unknown[] = [];
    const own = stages.map((one) =>
      one === allowedMethods ? allowedMethods() : { name: 'waiting', stages: [one as Stage] },
    );
    const only = method === 'HEAD' && own.length === 0 ? ['GET', 'HEAD'] : 'GET';
    const handle = () => stream(make().resume().pause());
    const plugin = { name: 'a', routes: [plain('x', { method: only, handle })] };
    const app = application([plugin, ...own], { log: (error) => logged.push(error) });
    await app.start();
    assert.equal((await app.request('/x', { method })).status, status);
    await turn();
    assert.equal((await app.request('/nowhere')).status, 404);
    assert.equal(logged.length, status === 500 ? 1 : 0);
  });

for (const [what, replace] of [
  ['answers otherwise', () => text('other')],
  ['throws', throwing(new Error('no'))],
] as const)
  test(`D75 – a stage that ${what} after a stream was made → the stream is destroyed`, async () => {
    const made = new Readable({ read() {} });
    const closed = once(made, 'close');
    const replacing: Stage = async (context, next) => {
      await next(context);
      return replace();
    };
    const plugins = [{ name: 'a', stages: [replacing] }, routed('x', () => stream(made))];
    await application(plugins, { log: () => {} }).request('/x');
    await closed;
  });

test('D75 – a stage that pipes a stream through another → the whole is sent', async () => {
  const upper: Stage = async (context, next) => {
    const reply = await next(context);
    async function* changed() {
      for await (const chunk of reply.body as Readable) yield String(chunk).toUpperCase();
    }
    return { ...reply, body: Readable.from(changed()) };
  };
  const app = application([{ name: 'a', stages: [upper] }, routed('x', () => stream(['a', 'b', 'c']))]);
  assert.equal(await (await app.request('/x')).text(), 'ABC');
});

test('D49 – a packed body that is unpacked after the reply → its memory is given back', async (t) => {
  const careless: Handler = (context) => {
    void context.body();
    return text('done');
  };
  const { port, service } = await serveHandler(t, careless);
  const body = gzipSync(Buffer.alloc(2 ** 20 - 1));
  for (let count = 0; count < 5; count++)
    await ask(port, { method: 'POST', headers: { 'Content-Encoding': 'gzip' }, body });
  await service.close(0);
  assert.equal(service.bodyMemory, 0);
});

test('D3 – a body that is requested twice at once → the same bytes for both', async () => {
  const twice = operation({
    method: 'POST',
    path: 'a',
    body: bytes('text/plain'),
    responses: { 200: { schema: { type: 'string' } } },
    async handle({ context, body }) {
      const all = await Promise.all([context.body(), context.body()]);
      return ok([body, ...all].map(String).join());
    },
  });
  const reply = await application([{ name: 'a', routes: [twice] }]).request('/a', { method: 'POST', body: 'one' });
  assert.equal(await reply.json(), 'one,one,one');
});

for (const [prefix, path] of [
  ['πελάτες', '/πελάτεσ/secret'],
  ['µ', '/μ/secret'],
  ['shop', '/SHOP/secret'],
  ['shop', '/%73hop/secret'],
] as const)
  test(`plugins – a guard mounted at ${prefix}, asked for ${path} → it gets the same requests as its routes`, async () => {
    const app = application([
      mounted(prefix, {
        name: 'guarded',
        stages: [() => text('guarded', { status: 403 })],
        routes: [plain('secret')],
      }),
    ]);
    assert.notEqual((await app.request(encodeURI(path).replaceAll('%25', '%'))).status, 200);
  });
