/** A site with files that never change, an application of the browser, and media types of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { text } from '../../../src/core/http/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { staticSite } from '../../../src/plugins/files/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder({
  'index.html': '<p>page',
  'assets/a.1f.js': 'code',
  'assets/deep/b.2e.css': 'style',
  'app/real.txt': 'real',
  'tour.gpx': '<gpx>',
  'a.log': 'line',
});
const api = { name: 'api', routes: [route({ path: 'app/api/{n}', method: 'GET', handle: () => text('route') })] };
const site = application([
  staticSite({
    root,
    immutable: 'assets/*',
    fallback: { for: '*', file: 'index.html' },
    mediaTypes: { gpx: 'application/gpx+xml' },
  }),
  api,
]);
const FOREVER = 'public, max-age=31536000, immutable';

for (const [path, method, status, body, caching] of [
  ['/assets/a.1f.js', 'GET', 200, 'code', FOREVER],
  ['/assets/deep/b.2e.css', 'GET', 200, 'style', FOREVER],
  ['/ASSETS/a.1f.js', 'GET', 404, undefined, 'no-store'],
  ['/assets/missing.js', 'GET', 404, undefined, 'no-store'],
  ['/assets', 'GET', 404, undefined, 'no-store'],
  ['/', 'GET', 200, '<p>page', 'no-cache'],
  ['/app/settings', 'GET', 200, '<p>page', 'no-cache'],
  ['/app/settings/', 'HEAD', 200, '', 'no-cache'],
  ['/app/real.txt', 'GET', 200, 'real', 'no-cache'],
  ['/app/api/1', 'GET', 200, 'route', null],
  ['/app/api/1', 'POST', 404, undefined, 'no-store'],
  ['/app/settings', 'POST', 404, undefined, 'no-store'],
] as const)
  test(`a site with a fallback – ${method} ${path} → ${status}, ${body ?? 'a problem'}, ${caching}`, async () => {
    const reply = await site.request(path, { method });
    assert.equal(reply.status, status);
    assert.equal(reply.headers.get('cache-control'), caching);
    if (body !== undefined) assert.equal(await reply.text(), body);
  });

test('a fallback below a folder → paths outside of it are 404', async () => {
  const { request } = application([staticSite({ root, at: 'web', fallback: { for: 'app/*', file: 'index.html' } })]);
  const statuses = [];
  for (const path of ['/web/app', '/web/app/x/y', '/web/other', '/app/x', '/web/app/real.txt'])
    statuses.push((await request(path)).status);
  assert.deepEqual(statuses, [200, 200, 404, 404, 200]);
});

for (const [path, type] of [
  ['/tour.gpx', 'application/gpx+xml'],
  ['/a.log', 'text/plain; charset=utf-8'],
  ['/assets/a.1f.js', 'text/javascript; charset=utf-8'],
] as const)
  test(`the media type of ${path} → ${type}`, async () =>
    assert.equal((await site.request(path)).headers.get('content-type'), type));

for (const [options, message] of [
  [{ immutable: 'assets' }, /"immutable" is "assets"; give "\*", or a folder such as "assets\/\*"/],
  [{ immutable: '/assets/*' }, /"immutable"/],
  [{ immutable: 'a/*/b' }, /"immutable"/],
  [{ fallback: { for: 'app/', file: 'index.html' } }, /"fallback.for" is "app\/"/],
  [{ mediaTypes: { '.gpx': 'application/gpx+xml' } }, /".gpx".*without a dot/],
  [{ mediaTypes: { gpx: 'a\nb' } }, /"gpx"/],
  [{ mediaTypes: { gpx: 'gpx' } }, /"gpx": "gpx"/],
  [{ fallback: { for: 'app/*', flie: 'index.html' } }, /"flie".*file/],
  [{ fallback: 'index.html' }, /a string/],
  [{ mediaTypes: { gpx: 'application/*' } }, /"gpx"/],
  ...[-1, 1.5, Number.NaN, Infinity].map((maxAge) => [{ maxAge }, /"maxAge" is .*; give whole seconds/] as const),
  [{ immutable: 'app/*', fallback: { for: 'app/x/*', file: 'index.html' } }, /"app\/\*" is immutable/],
  [{ imutable: 'assets/*' }, /imutable.*immutable/],
] as const)
  test(`a site with ${JSON.stringify(options)} → an error where it is declared`, () =>
    assert.throws(() => staticSite({ root, ...(options as object) }), message));

for (const file of ['none.html', 'assets', ''])
  test(`a fallback with the file ${JSON.stringify(file)} → the start names it`, async () => {
    const site = application([staticSite({ root, fallback: { for: '*', file } })]);
    await assert.rejects(site.start(), new RegExp(`it has no file "${file}" for the fallback`));
  });
