/** Operations with several kinds of body (D74), over HTTP. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { byMediaType, byteStream, bytes, form } from '../../../src/operations/uploads/upload.ts';
import { verification } from '../../../src/testing.ts';
import { ask, Client, type Question } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveService } from '../../support/serve.ts';

const FORM = 'application/x-www-form-urlencoded';
const responses = { 200: { schema: { type: 'object' } } } as const;
const Item = { type: 'object', properties: { title: { type: 'string', maxLength: 5 } }, required: ['title'] } as const;
const Fields = form({ title: { type: 'string', required: true } });

const composed = (limit = 30) => {
  const post = operation({
    method: 'POST',
    path: 'items',
    body: byMediaType({
      'application/json': Item,
      'application/vnd.other+json': { type: 'array', items: { type: 'integer' } },
      'multipart/form-data': Fields,
      [FORM]: Fields,
      'text/csv': bytes({ mediaTypes: ['text/*'], maxBytes: limit }),
      'Text/*': byteStream('*/*'),
    }),
    responses,
    async handle({ body }) {
      const value =
        body.type === 'Text/*'
          ? Buffer.concat(await body.value.toArray()).toString()
          : body.value instanceof Uint8Array
            ? Buffer.from(body.value).toString()
            : { ...body.value };
      return ok({ type: body.type, value } as Readonly<Record<string, unknown>>);
    },
  });
  const patch = operation({
    method: 'PATCH',
    path: 'items',
    body: byMediaType({ '*/*': bytes('*/*'), 'image/*': bytes('image/*'), 'application/json': bytes('*/*') }),
    responses,
    handle: ({ body }) => ok({ type: body.type, value: body.value.length } as Readonly<Record<string, unknown>>),
  });
  const items = { name: 'items', routes: [post, patch] };
  return application([operations({ naming: 'PascalCase' }), verification(), items]);
};

const serveKinds = async (t: TestContext): Promise<number> => (await serveService(t, new HttpService(composed()))).port;

const sent = (type: string | undefined, body: string, method = 'POST'): Question => ({
  method,
  target: '/items',
  headers: type === undefined ? {} : { 'Content-Type': type },
  body,
});
const MULTIPART = '--XX\r\nContent-Disposition: form-data; name="title"\r\n\r\nT\r\n--XX--\r\n';

for (const [what, request, type, value] of [
  ['JSON, in its naming', sent('application/json', '{"Title":"T"}'), 'application/json', { title: 'T' }],
  ['another name of JSON', sent('text/json', '{"Title":"T"}'), 'application/json', { title: 'T' }],
  ['JSON of another vocabulary', sent('application/a+json', '{"Title":"T"}'), 'application/json', { title: 'T' }],
  ['JSON with a separate kind', sent('application/vnd.other+json', '[5]'), 'application/vnd.other+json', { 0: 5 }],
  ['a form', sent('multipart/form-data; boundary=XX', MULTIPART), 'multipart/form-data', { title: 'T' }],
  ['a form as a query', sent(FORM, 'title=T'), FORM, { title: 'T' }],
  ['text of a declared type, in another case', sent('Text/CSV; charset=utf-8', 'a,b'), 'text/csv', 'a,b'],
  ['text that matches a range', sent('text/plain', 'x'.repeat(31)), 'Text/*', 'x'.repeat(31)],
  ['a range that is declared after a wider range', sent('image/png', 'abc', 'PATCH'), 'image/*', 3],
  ['anything', sent('video/mp4', 'abc', 'PATCH'), '*/*', 3],
  ['JSON as bytes', sent('application/json', '{}', 'PATCH'), 'application/json', 2],
  ['JSON by another name, which is read as bytes', sent('text/json', '{}', 'PATCH'), '*/*', 2],
] as const)
  test(`D74 – ${what} → read as ${type}`, async (t) => {
    const answer = await ask(await serveKinds(t), request);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json(), { type, value });
  });

const ACCEPT = `application/json, application/vnd.other+json, multipart/form-data, ${FORM}, text/csv, Text/*`;

for (const [what, request, status, text, accept] of [
  ['another type', sent('image/png', 'x'), 415, 'The body is image/png; send the body as application/json or', ACCEPT],
  ['no media type of a patch', sent(undefined, 'x', 'PATCH'), 415, 'no Content-Type', '*/*, image/*, application/json'],
  ['JSON of another charset', sent('application/json; charset=latin1', '{}'), 415, 'not in UTF-8', 'application/json'],
  ['wrong JSON', sent('application/json', '{"Title":"too long"}'), 400, '/Title: Expected 5 or fewer', undefined],
  ['a bad form', sent(FORM, 'a=b'), 400, 'title: This parameter is required', undefined],
  ['a form without a boundary', sent('multipart/form-data', MULTIPART), 400, 'has no boundary', undefined],
  ['more bytes than the limit of the kind', sent('text/csv', 'x'.repeat(31)), 413, 'larger than 30 bytes', undefined],
  ['no body', sent(undefined, ''), 400, 'The request has no body', undefined],
  ['no body of another type', sent('image/png', ''), 400, 'The request has no body', undefined],
] as const)
  test(`D74 – several kinds of body: ${what} → ${status}`, async (t) => {
    const answer = await ask(await serveKinds(t), request);
    const { detail, errors = [] } = assertProblem(answer, status);
    const faults = errors.map((one) => `${one.pointer ?? one.parameter}: ${one.detail}`).join('|');
    assert.ok(`${detail}|${faults}`.includes(text), answer.text);
    assert.equal(answer.headers['accept'], accept);
    if (request.method === 'PATCH') assert.equal(answer.headers['accept-patch'], accept);
  });

test('D74 – several kinds of body: a client waits for 100 Continue with another type → 415 before it sends the body', async (t) => {
  const headers = { 'Content-Type': 'a/b', Expect: '100-continue', 'Content-Length': '9' };
  const client = new Client(await serveKinds(t));
  await client.send({ method: 'POST', target: '/items', headers });
  assertProblem(await client.answer(), 415);
  await client.over();
});

test('D74 – several kinds of body, one larger than the memory for bodies → the start fails', () => {
  assert.throws(
    () => new HttpService(composed(2 ** 26)),
    /Cannot serve the operation "ItemsPost" within maxBodyMemory/,
  );
});
