/** Responses whose media type the handler names: the types that pass, those that do not, and both documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, application, operation, stream } from '../../../src/index.ts';
import { describe, describeOpenApi } from '../../../src/plugins/description/description.ts';
import { verification } from '../../../src/testing.ts';
import { logged } from '../../support/serve.ts';

const read = operation({
  method: 'GET',
  path: 'media/{kind}',
  responses: { 200: { mediaTypes: ['image/*', 'application/pdf'] } },
  handle({ values: { kind }, context }) {
    const type = context.query.get('type') ?? '';
    if (kind === 'answer') return answer(200, 'bytes', { headers: { 'Content-Type': type } });
    if (kind === 'stream') return stream('bytes', { mediaType: type });
    return answer(200, 'bytes');
  },
});

for (const [path, status, type] of [
  ['answer?type=image/png', 200, 'image/png'],
  ['answer?type=IMAGE/PNG', 200, 'IMAGE/PNG'],
  ['answer?type=application/pdf', 200, 'application/pdf'],
  ['stream?type=image/webp', 200, 'image/webp'],
  ['answer?type=text/html', 500, undefined],
  ['answer?type=image/*', 500, undefined],
  ['answer?type=*/*', 500, undefined],
  ['answer?type=application/pdfx', 500, undefined],
  ['answer?type=image', 500, undefined],
  ['stream?type=text/html', 500, undefined],
  ['untyped', 500, undefined],
] as const)
  test(`a media type at run time – ${path} → ${status}`, async () => {
    const app = application([verification(), { name: 'media', routes: [read] }]);
    const reply = await app.request(`/media/${path}`);
    assert.equal(reply.status, status);
    assert.equal(logged.splice(0).length, status === 500 ? 1 : 0);
    if (type === undefined) return;
    assert.equal(reply.headers.get('content-type'), type);
    assert.equal(await reply.text(), 'bytes');
  });

test('a media type at run time → the document lists the types', () => {
  const { routes } = application([{ name: 'media', routes: [read] }]);
  const openApi = JSON.stringify(describeOpenApi(routes, { title: 'Media' }).paths);
  assert.match(openApi, /"content":\{"image\/\*":.*"application\/pdf":/);
  assert.match(
    JSON.stringify(describe(routes, { title: 'Media' }).paths),
    /"produces":\["image\/\*","application\/pdf"/,
  );
});

for (const [response, message] of [
  [{ mediaTypes: [] }, /it lists no media type/],
  [{ mediaTypes: 'image/*' }, /mediaTypes/],
  [{ mediaTypes: ['IMAGE/PNG'] }, /lower case/],
  [{ mediaTypes: [['image/png']] }, /image\/png or image\/\*/],
  [{ mediaTypes: ['image'] }, /image\/png or image\/\*/],
  [{ mediaTypes: ['image/*'], mediaType: 'image/png' }, /keep one of them/],
  [{ mediaTypes: ['image/*'], schema: { type: 'string' } }, /a schema and a mediaType/],
] as const)
  test(`a response ${JSON.stringify(response)} → an error where it is declared`, () =>
    assert.throws(
      () =>
        application([
          {
            name: 'a',
            routes: [
              operation({ method: 'GET', path: '', responses: { 200: response as object }, handle: () => answer(200) }),
            ],
          },
        ]),
      (error: Error) => message.test(`${error.message} ${(error.cause as Error)?.message}`),
    ));

test('a media type at run time – a response with */* → any type, but not a range', async () => {
  const any = operation({
    method: 'GET',
    path: 'any',
    responses: { 200: { mediaTypes: ['*/*'] } },
    handle: ({ context }) => answer(200, 'bytes', { headers: { 'Content-Type': context.query.get('type')! } }),
  });
  const { request } = application([{ name: 'media', routes: [any] }]);
  assert.equal((await request('/any?type=model/obj')).status, 200);
  assert.equal((await request('/any?type=model/*')).status, 500);
  assert.equal(logged.splice(0).length, 1);
});
