/**
 * swagger-client, which the interactive page is built on: reads either document from the service and calls what it
 * finds there.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import SwaggerClient from 'swagger-client';
import { differencesOf } from './everything/differences.js';
import { everythingJourney } from './everything/journey.js';
import { PLAIN, sentValues, startEverything } from './everything/start.js';
import { swaggerClient } from './everything/swagger-client.js';
import { journey } from './journey.js';
import { startService } from './service.js';
import { ANNOTATED, BASE } from './variants.js';

const spell = (naming, item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      naming === 'PascalCase' ? name[0].toUpperCase() + name.slice(1) : name,
      value,
    ]),
  );
const plain = (item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name[0].toLowerCase() + name.slice(1), value]));

async function clientOf(url, naming, withBody) {
  const {
    apis: { Todo },
    errors,
  } = await SwaggerClient({ url });
  assert.deepEqual(errors, []);
  const outcome = (asked, read) =>
    asked.then(
      ({ status, body }) => ({ status, data: read?.(body) }),
      (error) => {
        if (!error.response) throw error;
        return { status: error.response.status };
      },
    );
  const send = (name, parameters, item) => Todo[name](...withBody(parameters, spell(naming, item)));
  return {
    list: () => outcome(Todo.ApiTodoGet(), (items) => items.map(plain)),
    get: (id) => outcome(Todo.ApiTodoByIdGet({ id }), plain),
    post: (item) => outcome(send('ApiTodoPost', {}, item), plain),
    put: (id, item) => outcome(send('ApiTodoByIdPut', { id }, item)),
    patch: (id, item) => outcome(send('ApiTodoByIdPatch', { id }, item)),
    delete: (id) => outcome(Todo.ApiTodoByIdDelete({ id })),
  };
}

const FORMATS = [
  ['2.0', 'swagger.json', (parameters, item) => [{ ...parameters, item }]],
  ['3.1', 'openapi.json', (parameters, item) => [parameters, { requestBody: item }]],
];

for (const variant of [BASE, ANNOTATED]) {
  test(`swagger-client, ${variant.name}: all six operations`, async (t) => {
    const service = await startService(...variant.flags);
    t.after(() => service.stop());
    for (const [, file, withBody] of FORMATS)
      await journey(await clientOf(`${service.base}/swagger/v1/${file}`, variant.naming, withBody));
  });
}

/** How lists are written: the service would also take commas and bars that are escaped. */
const WIRE = [
  '&repeated=one&repeated=two%20%26%20three&repeated=four%2C%20five%7Csix&colours=red&colours=dark%20blue',
  '&commas=one,two%20%26%20three,%C3%BC',
  '&spaces=1%20-2%2030',
  '&pipes=1|-2|30',
];

for (const format of ['2.0', '3.1']) {
  test(`swagger-client from ${format}, ${PLAIN.name}: every parameter, body, credential and answer`, async (t) => {
    const service = await startEverything(...PLAIN.flags);
    t.after(() => service.stop());
    const sent = await sentValues();
    const urls = [];
    const client = await swaggerClient(service.base, format, sent, urls);
    await everythingJourney(client, sent, differencesOf('swagger-client'));
    for (const written of WIRE) assert.ok(urls.join('\n').includes(written), written);
  });
}

for (const [format, file] of [
  ['2.0', 'swagger.json'],
  ['3.1', 'openapi.json'],
]) {
  test(`swagger-client from ${format}, ${PLAIN.name}: every kind of upload`, async (t) => {
    const service = await startEverything(...PLAIN.flags);
    t.after(() => service.stop());
    const { apis } = await SwaggerClient({ url: `${service.base}/swagger/v1/${file}` });
    const send = async (id, name, body) => {
      const isForm = name === undefined;
      const asked = format === '2.0' ? [isForm ? body : { [name]: body }] : [{}, { requestBody: body }];
      const { obj } = await apis.Uploads[id](asked[0], {
        ...asked[1],
        securities: { authorized: { ApiKey: 'a-key' } },
      });
      return obj;
    };
    const picture = new File([Uint8Array.from([0, 255, 254])], 'a.png', { type: 'image/png' });
    assert.deepEqual(await send('ApiUploadsPicturePost', 'picture', picture), { length: 3 });
    assert.deepEqual(await send('ApiUploadsStreamPut', 'body', picture), {
      hash: createHash('sha256')
        .update(Uint8Array.from([0, 255, 254]))
        .digest('hex'),
    });
    const texts = { title: 'Törten, a', stars: 4, tags: ['a', 'b, c'], ids: [1, 2] };
    assert.deepEqual(await send('ApiUploadsPhotosPost', undefined, { ...texts, photo: picture, more: picture }), {
      ...texts,
      photo: 'a.png',
      size: 6,
    });
    const note = { text: 'a & b=c+ü', stars: 4, tags: ['a', 'b, c'] };
    assert.deepEqual(await send('ApiUploadsNotesPost', undefined, note), note);
  });
}
