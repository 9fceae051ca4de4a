/**
 * Prism in front of the application that uses everything, with either document: what is right goes through, requests
 * and replies alike, and what is wrong is refused, by Prism too.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PROXY_DIFFERENCES, prismVerdict } from './everything/proxy-differences.js';
import { RIGHT, send, titleOf, variantsOf, WRONG } from './everything/requests.js';
import { describeEverything, PLAIN, SPELT, startEverything } from './everything/start.js';
import { startPrism } from './prism.js';

/** Declared statuses to which no request leads that the documents allow, each with its reason. */
const UNREACHED = {
  'ApiBodiesTextsPost 400': 'its schema says everything',
  'ApiParametersQueryGet 400': 'its schemas say everything',
  'ApiParametersHeadersGet 400': 'its schemas say everything',
  'ApiParametersDeclaredByDayByColourByTextGet 400': 'its schemas say everything',
  'ApiBodiesNamesPost 400': 'its schema says everything',
  'ApiBodiesNamesPost 413': 'a list has no member to enlarge',
  'ApiBodiesNamesPost 415': 'as for the others',
  'ApiListsByListTasksByIdPatch 507': 'the lists are limited by their number of tasks',
  'ApiListsByListTasksByIdPut 507': 'the lists are limited by their number of tasks',
  'ApiUploadsPicturePost 400': 'only a body is asked for',
  'ApiUploadsStreamPut 400': 'only a body is asked for',
  'ApiParametersListByNumbersGet 200': 'Prism ends with an error',
  'ApiParametersListByNumbersGet 400': 'Prism ends with an error',
  'ApiParametersListByNumbersGet 401': 'Prism ends with an error',
};

let service;
before(async () => {
  service = await startEverything(...PLAIN.flags);
});
after(() => service.stop());

for (const [format, file] of [
  ['2.0', 'swagger'],
  ['3.1', 'openapi'],
]) {
  test(`prism from ${format}, ${PLAIN.name}: right requests go through, with every declared status`, async () => {
    const document = await describeEverything(PLAIN.flags, format);
    const prism = await startPrism(`${service.base}/swagger/v1/${file}.json`, service.base);
    try {
      const seen = new Set();
      for (const one of RIGHT) {
        const verdict = prismVerdict(format, titleOf(one));
        // Where Prism errs about a request, it errs about the variants too.
        const isRead = verdict === undefined || verdict === 'garbles';
        for (const [status, request] of isRead ? variantsOf(one) : [[one.status ?? 200, one]]) {
          const title = titleOf(request);
          const reply = await send(service.base, request);
          assert.equal(reply.status, status, `${title}: ${await reply.clone().text()}`);
          if (verdict === 'ends') continue;
          seen.add(`${one.id} ${status}`);
          await expectThrough(prism.base, request, status, reply, title, request === one ? verdict : undefined);
        }
      }
      for (const one of await askTasks(prism.base, format === '2.0' ? 1 : 2)) seen.add(one);
      const declared = Object.values(document.paths)
        .flatMap((members) => Object.values(members))
        .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`));
      assert.deepEqual([...seen, ...Object.keys(UNREACHED)].sort(), declared.sort());
    } finally {
      await prism.stop();
    }
  });

  test(`prism from ${format}, ${PLAIN.name}: wrong requests are refused, by both`, async () => {
    const prism = await startPrism(`${service.base}/swagger/v1/${file}.json`, service.base);
    try {
      for (const request of WRONG) {
        const { title } = request;
        const reply = await send(service.base, request);
        const text = await reply.text();
        assert.ok(reply.status >= 400 && reply.status < 500, `${title}: ${reply.status} ${text}`);
        const verdict = prismVerdict(format, title);
        if (verdict === 'ends') continue;
        const proxied = await send(prism.base, request);
        assert.ok(proxied.status >= 400 && proxied.status < 500, `${title}: ${proxied.status} ${await proxied.text()}`);
        const passed = proxied.headers.has('x-request-id');
        assert.equal(passed, verdict === 'passes', `${title}: ${passed ? 'passed on' : 'refused'} by Prism`);
      }
    } finally {
      await prism.stop();
    }
  });
}

test(`${SPELT.name}: the same requests have the same statuses, with replies as described`, async () => {
  const spelt = await startEverything(...SPELT.flags);
  try {
    for (const [status, request] of RIGHT.flatMap(variantsOf)) {
      const reply = await send(spelt.base, request);
      assert.equal(reply.status, status, `${titleOf(request)}: ${await reply.text()}`);
    }
    for (const request of WRONG) {
      const { status } = await send(spelt.base, request);
      assert.ok(status >= 400 && status < 500, `${request.title}: ${status}`);
    }
    const tile = await send(spelt.base, { path: '/api/bodies/shapes', body: { kind: 'tile', side: 1 } });
    assert.deepEqual(await tile.json(), { Kind: 'tile', Side: 1 });
  } finally {
    await spelt.stop();
  }
});

test('prism: every listed difference is about a request that is sent', () => {
  const titles = new Set([...RIGHT, ...WRONG].map(titleOf));
  assert.deepEqual(
    PROXY_DIFFERENCES.map(({ title }) => title).filter((title) => !titles.has(title)),
    [],
  );
});

/** The statuses with which Prism refuses a request, and a reply. */
const REFUSED = { refuses: 422, rejects: 500 };

/** Asks for the same through Prism: what the application answers comes unchanged, or otherwise as the verdict says. */
async function expectThrough(base, request, status, direct, title, verdict) {
  const proxied = await send(base, request);
  const bytes = Buffer.from(await proxied.arrayBuffer());
  assert.equal(proxied.status, REFUSED[verdict] ?? status, `${title}: ${bytes}`);
  if (verdict in REFUSED) return;
  assert.ok(proxied.headers.has('x-request-id'), `${title} was not answered by the application: ${bytes}`);
  if (status >= 400) return;
  const isSame = bytes.equals(Buffer.from(await direct.arrayBuffer()));
  assert.equal(isSame, verdict !== 'garbles', `${title}: ${bytes}`);
}

/** Each declared status of each operation on a list of tasks. */
async function askTasks(base, list) {
  const seen = [];
  const path = `/api/lists/${list}/tasks`;
  const absent = `${path}/7f3b1e52-0c6d-4d2a-9a53-1a2b3c4d5e6f`;
  const ask = async (id, status, method, to, body, headers = {}, credentials = undefined) => {
    const reply = await send(base, { method, path: to, body, headers, ...(credentials && { credentials }) });
    const text = await reply.text();
    assert.equal(reply.status, status, `${id}: ${text}`);
    assert.ok(reply.headers.has('x-request-id'), `${id} ${status} was not answered by the application: ${text}`);
    seen.push(`ApiListsByListTasks${id} ${status}`);
    return { headers: reply.headers, value: text === '' ? undefined : JSON.parse(text) };
  };
  const another = { 'If-Match': '"another"' };
  const unknown = { 'X-API-Key': 'none' };
  const coded = { 'Content-Encoding': 'unheard-of' };
  const task = { text: 'Walk the dog', due: null };
  const large = { text: 'x'.repeat(5000) };
  const twice = { text: 'a', TEXT: 1 };

  const empty = await ask('Get', 200, 'GET', path);
  assert.equal(empty.headers.get('x-total'), '0');
  await ask('Get', 304, 'GET', path, undefined, { 'If-None-Match': empty.headers.get('etag') });
  await ask('Get', 412, 'GET', path, undefined, another);
  await ask('Get', 401, 'GET', path, undefined, {}, unknown);

  const made = await ask('Post', 201, 'POST', path, { ...task, id: 'ignored' });
  const one = made.headers.get('location');
  assert.equal(one, `${path}/${made.value.id}`);
  await ask('Post', 400, 'POST', path, twice);
  await ask('Post', 401, 'POST', path, task, {}, unknown);
  await ask('Post', 413, 'POST', path, large);
  await ask('Post', 415, 'POST', path, task, coded);
  await ask('Post', 201, 'POST', path, task);
  await ask('Post', 201, 'POST', path, task);
  await ask('Post', 507, 'POST', path, task);

  const { headers } = await ask('ByIdGet', 200, 'GET', one);
  await ask('ByIdGet', 304, 'GET', one, undefined, { 'If-None-Match': headers.get('etag') });
  await ask('ByIdGet', 401, 'GET', one, undefined, {}, unknown);
  await ask('ByIdGet', 404, 'GET', absent);
  await ask('ByIdGet', 412, 'GET', one, undefined, another);

  await ask('ByIdPatch', 200, 'PATCH', one, { text: 'Walk' });
  await ask('ByIdPatch', 400, 'PATCH', one, twice);
  await ask('ByIdPatch', 401, 'PATCH', one, { text: 'Walk' }, {}, unknown);
  await ask('ByIdPatch', 404, 'PATCH', absent, { text: 'Walk' });
  await ask('ByIdPatch', 412, 'PATCH', one, { text: 'Walk' }, another);
  await ask('ByIdPatch', 413, 'PATCH', one, large);
  const refused = await ask('ByIdPatch', 415, 'PATCH', one, { text: 'Walk' }, coded);
  assert.equal(refused.headers.get('accept-encoding'), 'gzip, deflate, br');

  await ask('ByIdPut', 204, 'PUT', one, task);
  await ask('ByIdPut', 400, 'PUT', one, { text: 'a', isDone: true, due: '2024-02-29' });
  await ask('ByIdPut', 401, 'PUT', one, task, {}, unknown);
  await ask('ByIdPut', 404, 'PUT', absent, task);
  await ask('ByIdPut', 412, 'PUT', one, task, another);
  await ask('ByIdPut', 413, 'PUT', one, large);
  await ask('ByIdPut', 415, 'PUT', one, task, coded);

  await ask('ByIdDelete', 401, 'DELETE', one, undefined, {}, unknown);
  await ask('ByIdDelete', 412, 'DELETE', one, undefined, another);
  await ask('ByIdDelete', 204, 'DELETE', one);
  await ask('ByIdDelete', 404, 'DELETE', one);
  return seen;
}
