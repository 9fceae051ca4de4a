/** The stage that turns errors into problems (D10). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientGone, HttpProblem, problemReply } from '../../../src/core/http/problem.ts';
import { headerOf } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

const logCalls: unknown[] = [];
const through = (fault: () => never | Promise<never>) =>
  pipeline([problems((error, { requestId }) => logCalls.push([error, requestId]))], fault)(testContext('/x'));

for (const [how, make] of [
  ['thrown', (error: unknown) => throwing(error)],
  ['rejected', (error: unknown) => () => Promise.reject(error)],
] as const) {
  test(`D10 – a problem that is ${how} → the reply has the problem, its errors and its headers, and nothing is logged`, async () => {
    logCalls.length = 0;
    const reply = await through(
      make(
        new HttpProblem(413, 'Too much', { errors: [{ pointer: '/a', detail: 'b' }], headers: { 'Retry-After': '1' } }),
      ),
    );
    assert.deepEqual(JSON.parse(reply.body as string), {
      type: 'about:blank',
      title: 'Content Too Large',
      status: 413,
      detail: 'Too much',
      instance: '/x',
      requestId: 'test',
      errors: [{ pointer: '/a', detail: 'b' }],
    });
    assert.equal(headerOf(reply, 'Content-Type'), 'application/problem+json');
    assert.equal(headerOf(reply, 'Retry-After'), '1');
    assert.deepEqual(logCalls, []);
  });
  test(`wire errors – ClientGone ${how} → no reply is created, and nothing is logged`, async () => {
    logCalls.length = 0;
    await assert.rejects(async () => through(make(new ClientGone())), ClientGone);
    assert.deepEqual(logCalls, []);
  });
}

for (const [what, headers, cacheControl] of [
  ['no header', {}, ['no-store']],
  ['a header of another name', { 'Retry-After': '1' }, ['no-store']],
  ['a Cache-Control', { 'Cache-Control': 'max-age=60' }, ['max-age=60']],
  ['a Cache-Control in lower case', { 'cache-control': 'private' }, ['private']],
] as const)
  test(`RFC 9111 §4.2.2 – a problem with ${what} → Cache-Control: ${cacheControl.join()}, once`, async () => {
    const lines = (await through(throwing(new HttpProblem(404, 'Not here', { headers })))).headers as readonly string[];
    assert.deepEqual(
      lines.filter((_, at) => at % 2 === 1 && /^cache-control$/i.test(lines[at - 1]!)),
      cacheControl,
    );
    assert.ok(lines.includes("default-src 'none'; frame-ancestors 'none'"));
  });

test('D36 – a problem with a Content-Type → it replaces the type of the problem', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const lines = (await through(throwing(new HttpProblem(404, 'Not here', { headers })))).headers as readonly string[];
  assert.deepEqual(
    lines.filter((_, at) => at % 2 === 1 && lines[at - 1] === 'Content-Type'),
    ['application/json'],
  );
});

test('D10 – a problem of another copy of the library → that problem; a similar error → 500', async () => {
  const copy = '../../../src/core/http/problem.ts?another-copy';
  const { HttpProblem: Other } = (await import(copy)) as { readonly HttpProblem: typeof HttpProblem };
  assert.notEqual(Other, HttpProblem);
  assert.equal((await through(throwing(new Other(409, 'Taken')))).status, 409);
  assert.equal((await through(throwing(Object.assign(new Error('x'), { status: 409, extra: {} })))).status, 500);
  class Narrower extends HttpProblem {}
  assert.ok(new Narrower(400, '') instanceof HttpProblem && new Narrower(400, '') instanceof Narrower);
  assert.ok(!(new HttpProblem(400, '') instanceof Narrower));
});

test('wire errors – ClientGone of another copy of the library → no reply, as for the ClientGone of this copy', async () => {
  const copy = '../../../src/core/http/problem.ts?another-copy';
  const { ClientGone: Other } = (await import(copy)) as { readonly ClientGone: typeof ClientGone };
  assert.notEqual(Other, ClientGone);
  logCalls.length = 0;
  await assert.rejects(async () => through(throwing(new Other())), Other);
  assert.deepEqual(logCalls, []);
});

for (const status of [200, 399, 600, 404.5, NaN, Infinity])
  test(`D10 – a problem with the status ${status} → a RangeError`, () =>
    assert.throws(() => new HttpProblem(status, 'x'), { name: 'RangeError', message: new RegExp(`"${status}"`) }));

test('D10 – further members → replace type, title and instance, but not status, detail and requestId; the order stays', async () => {
  const more = {
    type: 'https://e.example/taken',
    title: 'Taken',
    instance: '/other',
    status: 200,
    detail: 'no',
    requestId: 'no',
    id: 1,
  };
  const reply = await through(throwing(new HttpProblem(409, 'The key is taken', more)));
  assert.equal(
    reply.body,
    JSON.stringify({
      type: 'https://e.example/taken',
      title: 'Taken',
      status: 409,
      detail: 'The key is taken',
      instance: '/other',
      requestId: 'test',
      id: 1,
    }),
  );
});

test('D10 – a request below a base path → the instance includes the base path', () => {
  const { body } = problemReply({ path: '/api/todo/x', basePath: '/todo', requestId: 'r' }, 404, 'No item');
  assert.equal(JSON.parse(body as string).instance, '/todo/api/todo/x');
});
