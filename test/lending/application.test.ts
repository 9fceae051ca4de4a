/** The lending application, asked in memory: the login, the credentials, the media, the pages, texts and documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../src/index.ts';
import { checkDocument } from '../plugins/description/document-checks.ts';
import { logged } from '../support/serve.ts';
import { lending } from './application.ts';
import { ADA, BADGES, BOB, started } from './started.ts';

const KIOSK = { 'X-API-Key': 'kiosk-1' };
const german = { 'Accept-Language': 'de' };

/** Logs in by the form, and returns the header with the cookie. */
async function loggedIn({ request }: ReturnType<typeof lending>, badge: string): Promise<{ Cookie: string }> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
  const reply = await request('/v2/login', { method: 'POST', headers, body: `badge=${badge}` });
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/']);
  const [line] = reply.headers.getSetCookie();
  assert.match(line!, /^sid=[\da-f-]{36}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
  return { Cookie: line!.split(';')[0]! };
}

test('lending – a login by the form → a session on the page and in operations, until the logout', async () => {
  const app = await started();
  const pageFor = async (headers: Record<string, string>) => (await app.request('/', { headers })).text();
  assert.match(await pageFor({}), /<input name=badge/);
  const session = await loggedIn(app, 'bob');
  assert.match(await pageFor(session), /<p id=user>Bob/);
  const json = { until: '2026-12-24' };
  const lent = await app.request('/v2/devices/AB0001/loan', { method: 'POST', headers: session, json });
  assert.equal(lent.status, 201);
  assert.deepEqual(await lent.json(), {
    ...json,
    purpose: 'shoot',
    borrower: { name: 'Bob', department: 'news' },
    device: '/v2/devices/AB0001',
  });
  const out = await app.request('/v2/logout', { method: 'POST', headers: session });
  assert.equal(out.status, 303);
  assert.deepEqual(out.headers.getSetCookie(), ['sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
  const late = await app.request('/v2/devices/AB0002/loan', { method: 'POST', headers: session, json });
  assert.equal(late.status, 401);
  assert.match(await pageFor(session), /<input name=badge/);
});

test('lending – a login with a wrong badge → 403 and no cookie', async () => {
  const { request } = await started();
  for (const badge of ['eve', 'toString', '']) {
    const body = new URLSearchParams({ badge }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const reply = await request('/v2/login', { method: 'POST', headers, body });
    assert.deepEqual([reply.status, reply.headers.getSetCookie()], [403, []]);
  }
});

test('lending – a form of another site with the cookie → 403', async () => {
  const app = await started();
  const session = await loggedIn(app, 'bob');
  const headers = { ...session, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const { status } = await app.request('/v2/logout', { method: 'POST', headers });
  assert.equal(status, 403);
});

test('lending – a loan, read with and without credentials → only the staff sees the borrower', async () => {
  const app = await started({ isLent: true });
  const path = '/v2/devices/AB0000/loan';
  const borrowerFor = async (headers: Record<string, string>) => {
    const reply = await app.request(path, { headers });
    assert.equal(reply.status, 200);
    return ((await reply.json()) as { borrower?: { name: string } }).borrower?.name;
  };
  assert.equal(await borrowerFor({}), undefined);
  assert.equal(await borrowerFor(ADA), 'Bob');
  assert.equal(await borrowerFor(await loggedIn(app, 'ada')), 'Bob');
  const { status } = await app.request(path, { headers: { Cookie: 'sid=old' } });
  assert.equal(status, 401);
});

test('lending – a device, given back at a kiosk → needs the session and the key of the kiosk', async () => {
  const app = await started({ isLent: true });
  const giveBack = async (headers: Record<string, string>) =>
    (await app.request('/v2/devices/AB0000/loan', { method: 'DELETE', headers })).status;
  const session = await loggedIn(app, 'bob');
  assert.equal(await giveBack(session), 401);
  assert.equal(await giveBack(KIOSK), 401);
  assert.equal(await giveBack({ ...(await loggedIn(app, 'ada')), ...KIOSK }), 403);
  assert.equal(await giveBack({ ...session, ...KIOSK }), 204);
  assert.equal(await giveBack(BOB), 404);
});

test('lending – a device that is lent, lent again → 409 by the error of the domain, with its member', async () => {
  const { request } = await started({ isLent: true });
  const json = { until: '2027-01-01' };
  const reply = await request('/v2/devices/AB0000/loan', { method: 'POST', headers: ADA, json });
  assert.equal(reply.status, 409);
  const { detail, until } = (await reply.json()) as Record<string, unknown>;
  assert.deepEqual([detail, until], ['AB0000 is lent', '2026-12-01']);
});

for (const [headers, language, details] of [
  [
    german,
    'de',
    {
      '/until': 'Erwartet wird ein Datum wie 2026-12-24',
      '/purpose': 'Erlaubt sind nur shoot, training',
      '/remark': 'Höchstens 20 Zeichen',
    },
  ],
  [{ 'Accept-Language': 'en, de;q=0.5' }, 'en', { '/remark': 'Expected 20 or fewer characters, not 21' }],
] as const)
  test(`lending – a wrong wish of a caller who reads ${language} → the texts are in this language`, async () => {
    const { request } = await started();
    const json = { until: 'soon', purpose: 'fun', remark: 'x'.repeat(21) };
    const sent = { ...BOB, ...headers };
    const reply = await request('/v2/devices/AB0000/loan', { method: 'POST', headers: sent, json });
    assert.equal(reply.status, 400);
    assert.deepEqual(
      [reply.headers.get('content-type'), reply.headers.get('content-language'), reply.headers.get('vary')],
      ['application/problem+json', language, 'Accept-Language'],
    );
    const { errors } = (await reply.json()) as { errors: { pointer: string; detail: string }[] };
    const told = Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]));
    assert.deepEqual({ ...told, ...details }, told);
  });

test('lending – a photo → is sent with the media type of its upload; another type is refused', async () => {
  const { request } = await started();
  const upload = (type: string) => {
    const body = new FormData();
    body.set('title', 'Front');
    body.set('photo', new File(['bytes'], 'photo', { type }));
    const form = new Response(body);
    const headers = { ...BOB, 'Content-Type': form.headers.get('content-type')! };
    return form
      .text()
      .then((text) => request('/v2/devices/AB0000/photo', { method: 'POST', headers, body: text }))
      .then(({ status }) => status);
  };
  assert.equal(await upload('text/html'), 400);
  for (const type of ['image/jpeg', 'image/webp']) {
    assert.equal(await upload(type), 200);
    const photo = await request('/v2/devices/AB0000/photo');
    assert.deepEqual([photo.status, photo.headers.get('content-type'), await photo.text()], [200, type, 'bytes']);
  }
});

test('lending – a manual → its media type, a range of it, 304, 416, and 401 without credentials', async () => {
  const { request } = await started();
  const read = (serial: string, headers: Record<string, string> = {}) =>
    request(`/v2/devices/${serial}/manual`, { headers: { ...BOB, ...headers } });
  const whole = await read('AB0000');
  assert.equal(whole.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await whole.text();
  const part = await read('AB0000', { Range: 'bytes=7-10' });
  assert.deepEqual([part.status, await part.text()], [206, text.slice(7, 11)]);
  assert.equal((await read('AB0000', { 'If-None-Match': whole.headers.get('etag')! })).status, 304);
  assert.equal((await read('AB0000', { Range: 'bytes=9999-' })).status, 416);
  assert.equal((await read('AB0001')).headers.get('content-type'), 'application/pdf');
  assert.equal((await read('AB0009')).status, 404);
  assert.equal((await request('/v2/devices/AB0000/manual')).status, 401);
});

test('lending – the start page → a policy for its picture, and no frame around it', async () => {
  const { request } = await started();
  const policy = (await request('/')).headers.get('content-security-policy')!;
  assert.match(policy, /img-src 'self' data:;/);
  assert.match(policy, /frame-ancestors 'none'/);
});

for (const [path, status, caching] of [
  ['/assets/shelf.4f2a91.js', 200, 'public, max-age=31536000, immutable'],
  ['/assets/shelf.old.js', 404, 'no-store'],
  ['/shelf.html', 200, 'no-cache'],
  ['/shelf/cameras/7', 200, 'no-cache'],
  ['/shelves', 404, 'no-store'],
] as const)
  test(`lending – the site at ${path} → ${status} ${caching}`, async () => {
    const { headers, status: sent } = await (await started()).request(path);
    assert.deepEqual([sent, headers.get('cache-control')], [status, caching]);
  });

test('lending – the loan in both versions → the schema of each', async () => {
  const { request } = await started({ isLent: true });
  const reply = await request('/v1/devices/AB0000/loan', { headers: BOB });
  assert.deepEqual(await reply.json(), { until: '2026-12-01', borrower: 'Bob' });
});

test('lending – the documents of both versions → each describes only its own operations and schemas', async () => {
  const { request } = await started();
  const documentOf = async (version: string, format: string) => {
    const reply = await request(`/${version}/swagger/v1/${format}.json`);
    assert.equal(reply.status, 200);
    const document = (await reply.json()) as { paths: Record<string, object> };
    checkDocument(document);
    return document;
  };
  for (const format of ['swagger', 'openapi']) {
    const first = await documentOf('v1', format);
    assert.deepEqual(Object.keys(first.paths), ['/devices/{serial}/loan']);
    const text = JSON.stringify(await documentOf('v2', format));
    for (const part of ['/devices.csv', 'text/csv', 'image/webp', 'application/pdf', '/login', 'Kiosk'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes('deprecated":true'));
  }
  const openApi = JSON.stringify(await documentOf('v2', 'openapi'));
  assert.match(openApi, /"security":\[\{"Staff":\[\]\},\{"Session":\[\],"Kiosk":\[\]\}\]/);
  assert.match(openApi, /"security":\[\{"Staff":\[\]\},\{"Session":\[\]\},\{\}\]/);
});

test('lending – the list of names, a plain route → CSV', async () => {
  const reply = await (await started()).request('/v2/devices.csv');
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(await reply.text(), /^AB0000,"No. 0"\r\n/);
});

test('lending – the application, served and closed → no line on standard error', async () => {
  const { close } = await serve(lending(BADGES), { port: 0 });
  await close();
  assert.deepEqual(logged.splice(0), []);
});
