/** The second application, asked as its clients ask it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lending } from './application.ts';

const tokens = {
  ada: { identity: { name: 'Ada', department: 'film' }, roles: ['keeper'] },
  bob: { identity: { name: 'Bob', department: 'news' } },
} as const;
const { request } = lending(tokens);
const as = (who: keyof typeof tokens) => ({ Authorization: `Bearer ${who}` });
const device = (serial: string, acquired: string, kind = 'camera') => ({
  serial,
  name: `No. ${serial}`,
  kind,
  acquired,
});

for (const [serial, acquired, kind] of [
  ['AB0002', '2024-05-01', 'tripod'],
  ['AB0001', '2023-01-31', 'camera'],
  ['AB0003', '2025-12-24', 'camera'],
] as const) {
  const made = await request('/api/devices', {
    method: 'POST',
    headers: as('ada'),
    json: device(serial, acquired, kind),
  });
  assert.equal(made.headers.get('Location'), `/api/devices/${serial}`);
}

for (const [asked, path, serials, next] of [
  ['all', '', ['AB0001', 'AB0002', 'AB0003'], null],
  ['a page', '?size=2', ['AB0001', 'AB0002'], '/api/devices?size=2&from=2'],
  ['the next page', '?size=2&from=2', ['AB0003'], null],
  ['one kind since a day', '?kind=camera&since=2024-01-01', ['AB0003'], null],
] as const) {
  test(`lending – devices, ${asked} → ${serials}`, async () => {
    const { items, next: link } = (await (await request(`/api/devices${path}`)).json()) as {
      items: { serial: string }[];
      next: string;
    };
    assert.deepEqual(
      items.map((one) => one.serial),
      serials,
    );
    assert.equal(link && new URLSearchParams(link.split('?')[1]).get('from'), next && '2');
  });
}

for (const [asked, method, path, json, headers, status] of [
  ['a wrong page and a wrong day', 'GET', '/api/devices?size=0&since=May', undefined, {}, 400],
  ['a serial number that cannot be one', 'GET', '/api/devices/AB1', undefined, {}, 404],
  ['a new device without a token', 'POST', '/api/devices', device('AB0009', '2024-05-01'), {}, 401],
  ['a new device of someone else', 'POST', '/api/devices', device('AB0009', '2024-05-01'), as('bob'), 403],
  ['a serial number that is taken', 'POST', '/api/devices', device('AB0001', '2024-05-01'), as('ada'), 409],
  [
    'a stale change',
    'PUT',
    '/api/devices/AB0001',
    device('AB0001', '2024-05-01'),
    { ...as('ada'), 'If-Match': '"x"' },
    412,
  ],
  ['a kind that is none', 'PUT', '/api/devices/AB0001', device('AB0001', '2024-05-01', 'car'), as('ada'), 400],
] as const) {
  test(`lending – ${asked} → ${status}`, async () => {
    assert.equal((await request(path, { method, headers, ...(json && { json }) })).status, status);
  });
}

test('lending – a loan → who is signed in has it, it links to its device; only the borrower gives it back', async () => {
  const lend = (who: 'ada' | 'bob') =>
    request('/api/devices/AB0001/loan', { method: 'POST', headers: as(who), json: { until: '2026-12-01' } });
  const lent = await lend('bob');
  assert.equal(lent.headers.get('Location'), '/api/devices/AB0001/loan');
  const expected = { until: '2026-12-01', purpose: 'shoot', borrower: 'Bob', device: '/api/devices/AB0001' };
  assert.deepEqual(await lent.json(), expected);
  assert.equal(((await (await lend('ada')).json()) as { until: string }).until, '2026-12-01');
  const back = (who: 'ada' | 'bob') => request('/api/devices/AB0001/loan', { method: 'DELETE', headers: as(who) });
  assert.deepEqual([(await back('ada')).status, (await back('bob')).status], [403, 204]);
});

test('lending – events → what was missed, then what happens; the client that leaves ends them', async () => {
  const stream = await request('/api/devices/events', { headers: { 'Last-Event-ID': '1' } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('AB0003')) text += (await reader.read()).value;
  await request('/api/devices/AB0002/loan', { method: 'POST', headers: as('bob'), json: { until: '2026-12-01' } });
  while (!text.includes('event: loan')) text += (await reader.read()).value;
  assert.doesNotMatch(text, /"AB0002"\}\n\nid: 1/);
  await reader.cancel();
});

test('lending – a photo → uploaded with its form, sent as it came; another media type and too long a title are told', async () => {
  const send = (title: string, type: string) => {
    const body = new FormData();
    body.set('title', title);
    body.set('photo', new File([new Uint8Array([1, 2, 3])], 'photo.png', { type }));
    return request('/api/devices/AB0001/photo', { method: 'POST', headers: as('bob'), body });
  };
  assert.equal((await send('Front', 'image/png')).status, 200);
  assert.equal((await (await request('/api/devices/AB0001/photo')).arrayBuffer()).byteLength, 3);
  const { errors } = (await (await send('x'.repeat(81), 'text/plain')).json()) as { errors: { parameter: string }[] };
  assert.deepEqual(
    errors.map(({ parameter }) => parameter),
    ['title', 'photo'],
  );
});
