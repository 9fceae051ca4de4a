/** The cases of lesson 11. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, route, text } from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { plugin, prediction } = await work<typeof import('../answers/11-optional-and-catch-all.ts')>(import.meta.url);
const { log, assertNone } = keptLog();
const app = application([plugin], { log });

/** Returns the value that a route with this template passes to its handler. */
async function valueOf(name: string, template: string, path: string): Promise<string> {
  const handle = ({ values }: { values: Readonly<Record<string, string>> }) => text(values[name] ?? 'absent');
  const reply = await application([{ name: 'asked', routes: [route({ path: template, handle })] }]).request(path);
  return reply.status === 404 ? 'no match' : reply.text();
}

test('the prediction for seven paths → what happens', WITHIN, async () => {
  const actual: Record<string, string> = {};
  for (const question of Object.keys(prediction)) {
    const [, name, template, path] = /^(\w+) in (.+), GET (.+)$/.exec(question)!;
    actual[question] = await valueOf(name!, template!, path!);
  }
  const think =
    'What happens first: resolve `..`, split at the slashes, decode? May the segment be absent, and what replaces it?';
  assertPredicted(prediction, actual, think);
});

for (const [path, expected] of [
  ['/archive/1850', '1850'],
  ['/archive/1850/', '1850'],
  ['/archive/1850/3', '1850, month 3'],
] as const)
  test(`${path} → ${expected}`, WITHIN, async () => {
    const reply = await app.request(path);
    assertNone(reply.status);
    assert.equal(await reply.text(), expected, 'What does the text say if `values` has no month?');
  });

for (const path of ['a.txt', 'deep/b.txt', 'deep%2Fb.txt', 'deep%2F..%2Fa.txt', '..c.txt'])
  test(`/files/${path}, a file in public → 200`, WITHIN, async () => {
    const { status } = await app.request(`/files/${path}`);
    assertNone(status);
    const remedy = 'It is in public: check where the path leads, not which characters it has';
    assert.equal(status, 200, remedy);
  });

for (const path of [
  '..%2Fsecret.txt',
  'deep%2F..%2F..%2Fsecret.txt',
  '%2e%2e%2Fsecret.txt',
  '..%2Fpublic-keys.txt',
  'deep/..%2F../..%2Fsecret.txt',
])
  test(`/files/${path}, a file beside public → 404`, WITHIN, async () => {
    const reply = await app.request(`/files/${path}`);
    assertNone(reply.status);
    const seen = reply.status === 200 ? `A stranger reads: ${await reply.text()}. ` : '';
    assert.equal(reply.status, 404, `${seen}Where does the value lead, once each \`..\` is resolved?`);
  });

test('/files, an empty rest → 404', WITHIN, async () => {
  const { status } = await app.request('/files');
  assertNone(status);
  assert.equal(status, 404, 'There is no file with an empty name');
});
