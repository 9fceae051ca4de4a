/**
 * Prism between a client and the service, refusing whatever the description does not allow: every operation with every
 * status that it declares goes through, requests and replies alike. Each request is one that the description allows, so
 * what is refused is refused by the service: its own request id is in the reply.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPrism } from './prism.js';
import { startService } from './service.js';
import { ANNOTATED, BASE, describe } from './variants.js';

/** Asks each declared status of each operation in turn; `seen` gathers `operationId status`. */
async function everyStatus(base, naming) {
  const seen = [];
  const spell = (name) => (naming === 'PascalCase' ? name[0].toUpperCase() + name.slice(1) : name);
  const item = (members) =>
    JSON.stringify(Object.fromEntries(Object.entries(members).map(([name, value]) => [spell(name), value])));
  const ask = async (id, status, method, path, { body, headers = {} } = {}) => {
    const reply = await fetch(base + path, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    });
    const text = await reply.text();
    assert.equal(reply.status, status, `${id}: ${text}`);
    assert.ok(reply.headers.has('x-request-id'), `${id} ${status} was not answered by the service: ${text}`);
    seen.push(`${id} ${status}`);
    return { headers: reply.headers, value: text === '' ? undefined : JSON.parse(text) };
  };
  // The second spelling is a member that no schema forbids; the service holds it to be the name.
  const notAName = item({ name: 'a' }).replace('}', `,"NAME":5}`);
  const tooLong = item({ name: 'x'.repeat(4096) });
  const wrongType = { headers: { 'Content-Encoding': 'unheard-of' } };
  const another = { headers: { 'If-Match': '"another"' } };

  const list = await ask('ApiTodoGet', 200, 'GET', '/api/todo');
  // Not as text/plain or text/json: Prism takes a body of these types for a string and misses the array.
  await ask('ApiTodoGet', 200, 'GET', '/api/todo', { headers: { Accept: 'application/json' } });
  await ask('ApiTodoGet', 304, 'GET', '/api/todo', {
    headers: { 'If-None-Match': list.headers.get('etag'), Accept: 'application/json' },
  });

  await ask('ApiTodoGet', 412, 'GET', '/api/todo', another);

  const { value: made, headers } = await ask('ApiTodoPost', 201, 'POST', '/api/todo', { body: item({ name: 'a' }) });
  const key = made[spell('key')];
  const path = `/api/todo/${key}`;
  await ask('ApiTodoPost', 400, 'POST', '/api/todo', { body: notAName });
  await ask('ApiTodoPost', 413, 'POST', '/api/todo', { body: tooLong });
  await ask('ApiTodoPost', 415, 'POST', '/api/todo', { body: item({ name: 'a' }), ...wrongType });
  const large = 'y'.repeat(1024);
  await ask('ApiTodoPost', 201, 'POST', '/api/todo', { body: item({ name: large }) });
  await ask('ApiTodoPost', 507, 'POST', '/api/todo', { body: item({ name: large }) });

  const {
    headers: { etag = headers.get('etag') },
  } = await ask('ApiTodoByIdGet', 200, 'GET', path);
  await ask('ApiTodoByIdGet', 304, 'GET', path, { headers: { 'If-None-Match': etag } });
  await ask('ApiTodoByIdGet', 404, 'GET', '/api/todo/absent');
  await ask('ApiTodoByIdGet', 412, 'GET', path, another);

  for (const [id, method] of [
    ['ApiTodoByIdPut', 'PUT'],
    ['ApiTodoByIdPatch', 'PATCH'],
  ]) {
    const body = item({ key, name: 'b', isComplete: true });
    await ask(id, 204, method, path, { body });
    await ask(id, 400, method, path, { body: notAName });
    await ask(id, 404, method, '/api/todo/absent', { body: item({ key: 'absent', name: 'b' }) });
    await ask(id, 412, method, path, { body, ...another });
    await ask(id, 413, method, path, { body: tooLong });
    await ask(id, 415, method, path, { body, ...wrongType });
    await ask(id, 507, method, path, { body: item({ key, name: large }) });
  }
  await ask('ApiTodoByIdDelete', 412, 'DELETE', path, another);
  await ask('ApiTodoByIdDelete', 204, 'DELETE', path);
  await ask('ApiTodoByIdDelete', 404, 'DELETE', path);
  return seen;
}

/** Room for two small items and one large one, but not for two large ones. */
const LIMITS = ['--max-store-bytes', '3KiB', '--max-body', '2KiB'];

for (const [variant, format] of [
  [BASE, '2.0'],
  [ANNOTATED, '3.1'],
])
  test(`prism from ${format}, ${variant.name}: every operation with every declared status`, async (t) => {
    const service = await startService(...variant.flags, ...LIMITS);
    const document = await describe(variant, format);
    const prism = await startPrism(
      `${service.base}/swagger/v1/${format === '2.0' ? 'swagger' : 'openapi'}.json`,
      new URL(service.base).origin,
    );
    t.after(() => Promise.all([prism.stop(), service.stop()]));
    const seen = await everyStatus(prism.base, variant.naming);
    const declared = Object.values(document.paths)
      .flatMap((members) => Object.values(members))
      .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`));
    assert.deepEqual([...new Set(seen)].sort(), declared.sort());
  });
