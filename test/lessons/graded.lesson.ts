/**
 * Further cases, which a learner does not see: `npm run learn -- grade DIR` runs them after those of the lesson. Work
 * that knows only the cases of the lesson, and not what they are about, fails here.
 */
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { application, type Handler, headerOf, mounted, type Plugin, route, type Stage, text } from '../../src/index.ts';
import { contextFor } from '../../src/testing.ts';
import { lessons } from './lessons.ts';
import { WITHIN, work } from './work.ts';

/** The exports of an exercise. What is handed in has any. */
type Work = any;
type Case = readonly [name: string, check: (done: Work) => Promise<void> | void];

const silent = { log: () => {} };
const asked = (plugin: Plugin, path: string, options = {}, method = 'GET') =>
  application([plugin], { ...silent, ...options }).request(path, { method });
const ending: Handler = () => text('the end');

/** The texts that a plugin answers with. */
const says = (path: string, expected: string): Case => [
  `${path} → ${expected}`,
  async ({ plugin }) => assert.equal(await (await asked(plugin, path)).text(), expected),
];
const refuses = (path: string, status: number): Case => [
  `${path} → ${status}`,
  async ({ plugin }) => assert.equal((await asked(plugin, path)).status, status),
];

const HIDDEN: Readonly<Record<string, readonly Case[]>> = {
  '01-fold': [
    [
      'one handler, asked twice → the same both times',
      async ({ pipeline }) => {
        const handler = pipeline([(context: Work, next: Handler) => next(context)], ending);
        for (const _ of [1, 2]) assert.equal((await handler(contextFor('/'))).body, 'the end');
      },
    ],
  ],
  '02-add-a-header': [
    [
      'a reply with a header already → keeps it, and the status',
      async ({ plugin }) => {
        const handle = () => text('gone', { status: 410, headers: { 'X-Other': 'kept' } });
        const other = { name: 'other', routes: [route({ path: 'gone', handle })] };
        const { status, headers } = await application([plugin, other], silent).request('/gone');
        assert.deepEqual([status, headers.get('X-Other'), headers.get('X-Served-By')], [410, 'kept', 'lesson']);
      },
    ],
  ],
  '03-answer-early': ['PATCH', 'OPTIONS'].map((method) => [
    `a ${method} → 503`,
    async ({ closed }) =>
      assert.equal((await asked({ name: 'lesson', stages: [closed] }, '/', {}, method)).status, 503),
  ]),
  '04-swap-two-stages': ['/%50RIVATE/b/a', '/v1/%70rivate', '/private'].map((path) => [
    `${path} → 403`,
    async ({ stages }) => assert.equal((await asked({ name: 'lesson', stages }, path)).status, 403),
  ]),
  '05-forget-the-return': [
    [
      '?name=Grace → greets Grace',
      async ({ plugin }) => {
        assert.match(await (await asked(plugin, '/hello?name=Grace')).text(), /^Hello Grace, visitor \d+$/);
      },
    ],
  ],
  '06-wait': [
    [
      'a reply with a status and another header → keeps both',
      async ({ served }) => {
        const reply = await (served as Stage)(contextFor('/'), () => text('', { status: 410, headers: { A: 'b' } }));
        assert.deepEqual([reply.status, headerOf(reply, 'A')], [410, 'b']);
      },
    ],
  ],
  '08-constraint-and-link': [
    says('/pages/50', 'number 50'),
    says('/pages/1e1', 'title 1e1'),
    says('/pages/5%0A', 'title 5\n'),
    says('/pages/%201', 'title  1'),
  ],
  '10-first-that-matches': [
    [
      'five templates of another site → in the order of their kinds',
      ({ ordered }) =>
        assert.deepEqual(ordered(['{a}/b/{c}', 'm/{n}/o', '{a}', 'm/n/{o}', 'q']), [
          'q',
          'm/n/{o}',
          'm/{n}/o',
          '{a}',
          '{a}/b/{c}',
        ]),
    ],
    ['no template → none', ({ ordered }) => assert.deepEqual(ordered([]), [])],
  ],
  '11-optional-and-catch-all': [
    says('/archive/1999', '1999'),
    says('/archive/1999/12', '1999, month 12'),
    says('/files/deep%2F%2Fb.txt', 'the second file'),
    refuses('/files/deep%2F..%2F..%2Fpublic-keys.txt', 404),
    refuses('/files/..', 404),
  ],
  '12-constraint-or-check': [
    refuses('/orders/0x7', 400),
    refuses('/orders/7.', 400),
    refuses('/orders/%D9%A7', 400),
    refuses('/orders/70', 404),
    says('/orders/12', 'order: a table'),
    says('/orders/7/lines', 'page: orders/7/lines'),
  ],
  '13-values-of-the-request': [
    [
      'a reader at /it/a%20b/41 → four paths of this page',
      async ({ plugin }) =>
        assert.deepEqual(await (await asked(plugin, '/it/a%20b/41')).json(), {
          next: '/it/a%20b/42',
          first: '/it/a%20b',
          maps: '/it/maps',
          german: '/de/a%20b/41',
        }),
    ],
  ],
  '14-mounted-twice': [
    [
      'at a/b/c under /d → paths that begin with /d/a/b/c',
      async ({ shop }) => {
        const plugin = mounted('a', mounted('b/c', shop()));
        const reply = await asked(plugin, '/d/a/b/c/items/1?name=x', { basePath: '/d' });
        assert.match(await reply.text(), /next: \/d\/a\/b\/c\/items\/2$/);
        const sent = await asked(plugin, '/d/a/b/c/items/1', { basePath: '/d' });
        assert.equal(sent.headers.get('Location'), '/d/a/b/c/hello');
      },
    ],
  ],
  '15-next-called-twice': [
    ['HEAD', 2],
    ['OPTIONS', 1],
    ['POST', 1],
  ].map(([method, expected]) => [
    `a ${method}, 503 → asked ${expected} times`,
    async ({ again }) => {
      let calls = 0;
      const busy: Stage = () => text('', { status: ++calls > 0 ? 503 : 500 });
      await asked({ name: 'lesson', stages: [again, busy] }, '/', {}, String(method));
      assert.equal(calls, expected);
    },
  ]),
};

const { LESSON: judged = '' } = process.env;
const isHandedIn = judged.startsWith('file:');
const names = isHandedIn ? [basename(dirname(fileURLToPath(judged)))] : lessons().map(({ name }) => name);
for (const name of names) {
  const cases = new URL(`${name}/cases.lesson.ts`, import.meta.url).href;
  if (isHandedIn) await import(cases);
  const done: Work = await work(cases);
  for (const [title, check] of HIDDEN[name] ?? [])
    test(`${isHandedIn ? '' : `${name}: `}${title}`, WITHIN, () => check(done));
}
