/**
 * An invalid reply of a plugin cannot break the connection. It becomes one 500 if its head is not sent yet; otherwise
 * the connection is closed. The log names the stage or the route, and the remedy.
 */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import type { Plugin } from '../../../../src/core/application/plugin.ts';
import type { Context, Handler } from '../../../../src/core/http/context.ts';
import { HttpProblem, problemReply } from '../../../../src/core/http/problem.ts';
import { empty, headerOf, json, redirect, text, withHeaders } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { representation } from '../../../../src/core/http/representation.ts';
import type { Stage } from '../../../../src/core/pipeline/stage.ts';
import { whenSent } from '../../../../src/core/server/request-context.ts';
import { problem } from '../../../../src/operations/operation/problems.ts';
import { answer } from '../../../../src/operations/operation/results.ts';
import { ask, Client } from '../../../support/ask.ts';
import { controlled, plain, read } from '../../../support/plain-routes.ts';
import { assertProblem } from '../../../support/problem.ts';
import { logged, servePlugins } from '../../../support/serve.ts';
import { failing, waiting } from '../../../support/streams.ts';
import { throwing } from '../../../support/throwing.ts';
import { INVALID } from '../../http/reply-fault.cases.ts';

/**
 * Plugins whose stage, outer stage or route returns the reply, depending on the path. `seen` gets the statuses of all
 * replies.
 */
function careless(make: () => unknown, seen: number[]): readonly Plugin[] {
  const replyAt = (context: Context, place: string): Reply | Promise<Reply> | undefined => {
    if (context.path === `/${place}`) return make() as Reply;
    return context.path === `/${place}/later` ? Promise.resolve().then(() => make() as Reply) : undefined;
  };
  return [
    {
      name: 'log',
      outerStages: [
        async function log(context, next) {
          const reply = await next(context);
          seen.push(reply.status);
          return reply;
        },
      ],
    },
    {
      name: 'careless',
      outerStages: [
        function outside(context, next) {
          return replyAt(context, 'outside') ?? next(context);
        },
      ],
      stages: [
        function culprit(context, next) {
          return /^\/stage/.test(context.path) ? replyAt(context, 'stage')! : next(context);
        },
        (context, next) => (/^\/unnamed/.test(context.path) ? replyAt(context, 'unnamed')! : next(context)),
      ],
      routes: [
        plain('route', { method: 'GET', handle: make }),
        plain('route/later', { handle: async () => make() }),
        plain('good'),
      ],
    },
  ];
}

const good: Stage = (context, next) => (context.path === '/good' ? text('good') : next(context));

const WHO: readonly (readonly [path: string, who: string])[] = [
  ['/stage', 'The stage "culprit" of the plugin "careless"'],
  ['/stage/later', 'The stage "culprit" of the plugin "careless"'],
  ['/unnamed', 'Stage 2 of the plugin "careless"'],
  ['/route', 'The route "GET route"'],
  ['/route/later', 'The route "route/later"'],
];

/** `replies.test.ts` tests the fault of each row. These are the kinds of faults. */
const WAYS = ['nothing at all', 'json(undefined)', 'a thenable that is not a Promise', 'a length that is shorter'];

for (const { clause, question, reply, says, throwsEarly } of INVALID.filter(({ question }) => WAYS.includes(question)))
  test(`${clause} – a plugin returns ${question} → 500, the log has the origin, the fault and the remedy`, async (t) => {
    const seen: number[] = [];
    const { client } = await servePlugins(t, careless(reply, seen));
    // A promise that is fulfilled with a thenable waits for it, and this thenable never settles.
    const asked = WHO.filter(([path]) => !/later/.test(path) || !/thenable/.test(question));
    for (const [path, who] of asked) {
      assertProblem(await client.ask({ target: path }), 500);
      const [line, ...more] = logged.splice(0);
      assert.deepEqual(more, []);
      // If creating the reply throws, the stack trace shows the stage or route.
      assert.ok(throwsEarly || line!.includes(JSON.stringify(who).slice(1, -1)), line);
      assert.match(JSON.parse(line!.split('\n')[0]!).error, says!);
      assert.equal((await client.ask({ target: '/good' })).text, 'good');
    }
    assert.equal(seen.filter((status) => status === 500).length, asked.length, 'seen by the log');
  });

const forgetting = function forgets(context: Context, next: Handler) {
  next(context);
} as never;
const tagging: Stage = function tag(context, next) {
  return withHeaders(next(context) as Reply, { 'X-A': '\n' });
};
for (const [clause, what, plugin, targets, says] of [
  [
    'plugins',
    'an outer stage returns a reply that cannot be sent',
    { name: 'a', outerStages: [tagging] },
    ['/', '/%zz'],
    /Cannot make a reply with the header X-A/,
  ],
  [
    'plugins',
    'a stage forgets to return the reply of next',
    { name: 'a', stages: [forgetting] },
    ['/'],
    /The stage \\"forgets\\" of the plugin \\"a\\" returned nothing; return .*next\(context\)/,
  ],
  [
    'D10',
    'a thrown problem has a header that cannot be sent',
    {
      name: 'a',
      stages: [() => throwing(new HttpProblem(409, 'Taken', { headers: { 'X-A': 'a\nb' } }))()],
    },
    ['/'],
    /Cannot make a reply with the header X-A/,
  ],
] as const)
  test(`${clause} – ${what} → one 500, the log has the fault and the remedy`, async (t) => {
    const { port } = await servePlugins(t, [plugin]);
    for (const target of targets) {
      assertProblem(await ask(port, { target }), 500);
      assert.match(logged.splice(0).join(), says);
    }
  });

const FIVE = { headers: { 'Content-Length': '5' } };
const staged = (make: (context: Context) => unknown): Plugin => ({ name: 'a', stages: [make as Stage] });
const described = (responses: object, handle: () => unknown) => controlled('a', '', read('a', { responses, handle }));
const SCHEMA = { schema: { type: 'string' } };
for (const [what, plugin] of [
  ['a thrown problem', staged(throwing(new HttpProblem(409, 'Taken', FIVE)))],
  ['the problem of a context', staged((context) => problemReply(context, 409, 'Taken', FIVE))],
  ['a value of a stage', staged(() => json([1], FIVE))],
  ['a status alone of a stage', staged(() => empty(FIVE))],
  ['a problem of an operation', described({ 409: {} }, () => problem(409, 'Taken', FIVE))],
  ['a 204 of an operation', described({ 204: {} }, () => answer(204, undefined, FIVE))],
  ['a status alone of an operation', described({ 200: {} }, () => answer(200, undefined, FIVE))],
  ['a value of an operation', described({ 200: SCHEMA }, () => answer(200, 'a', FIVE))],
  ['a stored value of an operation', described({ 200: SCHEMA }, () => answer(200, representation('"a"', 'v'), FIVE))],
  ['a text of an operation', described({ 200: { mediaType: 'text/plain' } }, () => answer(200, 'a', FIVE))],
] as const)
  test(`RFC 9112 §6.3 – ${what} with a length that differs from its body → one 500, and the connection stays usable`, async (t) => {
    const { client } = await servePlugins(t, [plugin, { name: 'b', outerStages: [good] }]);
    for (let times = 0; times < 2; times++) {
      assertProblem(await client.ask({ target: '/a' }), 500);
      assert.match(logged.splice(0).join(), /Content-Length/);
      assert.equal((await client.ask({ target: '/good' })).text, 'good');
    }
  });

test('RFC 9110 §15.4.5 – a plugin returns 304 with a length and a body → neither is sent', async (t) => {
  const { client } = await servePlugins(t, [{ name: 'a', stages: [() => ({ ...text('abc'), status: 304 })] }]);
  for (let times = 0; times < 2; times++) {
    const { status, headers } = await client.ask({ target: '/' });
    assert.deepEqual(
      [status, headers['content-length'], headers['content-type']],
      [304, undefined, 'text/plain; charset=utf-8'],
    );
  }
});

test('RFC 9110 §8.6 – a plugin answers HEAD with a length and without a body → the length is sent', async (t) => {
  const { port } = await servePlugins(t, [
    { name: 'a', stages: [() => ({ status: 200, headers: { 'Content-Length': '7' } })] },
  ]);
  assert.equal((await ask(port, { method: 'HEAD', target: '/' })).headers['content-length'], '7');
});

function destroying(): Readable {
  const stream = waiting('abc');
  setImmediate(() => stream.destroy());
  return stream;
}

// These faults appear after the head has been sent.
for (const [question, length, body, says] of [
  ['is shorter than its length', '5', () => Readable.from(['abc']), /streamed 3 bytes for a Content-Length of 5/],
  [
    'is longer than its length',
    '2',
    () => Readable.from(['a', 'bc']),
    /streamed more than its Content-Length of 2 bytes/,
  ],
  [
    'is longer in bytes than in characters',
    '2',
    () => Readable.from(['é', 'é']),
    /streamed more than its Content-Length of 2 bytes/,
  ],
  ['fails half-way', undefined, () => Readable.from(failing('abc', 'a secret')), /streamed a body that failed/],
  ['is destroyed half-way', undefined, destroying, /destroyed its stream before the end/],
  ['gives numbers', undefined, () => Readable.from([1, 2]), /streamed numbers; stream texts or bytes/],
] as const)
  test(`RFC 9112 §6.3 – a plugin's stream that ${question} → the connection is closed, the log has the origin`, async (t) => {
    const reply = (): Reply => ({
      status: 200,
      headers: length === undefined ? {} : { 'Content-Length': length },
      body: body(),
    });
    const whole: boolean[] = [];
    const { port } = await servePlugins(t, [
      {
        name: 'streams',
        stages: [
          function culprit(context, next) {
            whenSent(context, ({ isWhole }) => whole.push(isWhole));
            return context.path === '/stage' ? reply() : next(context);
          },
        ],
        routes: [plain('route', { handle: async () => reply() }), plain('good')],
      },
    ]);
    const culprits = [
      ['/stage', /The stage \\"culprit\\" of the plugin \\"streams\\"/],
      ['/route', /The route \\"route\\"/],
    ] as const;
    for (const [target, who] of culprits) {
      const client = new Client(port);
      void client.send([{ target }, { target: '/good' }]);
      await client.over();
      assert.doesNotMatch(client.rest.toString(), /good/, 'nothing follows an incomplete response');
      const line = logged.splice(0).join();
      assert.match(line, says);
      assert.match(line, who);
      client.destroy();
    }
    assert.deepEqual(whole, [false, false], 'whenSent reports both as incomplete');
    assert.equal((await ask(port, { target: '/good' })).text, 'good');
  });

for (const headers of [new Map([['X-A', 'b']]), new Headers({ 'X-A': 'b' })] as unknown as Record<string, string>[])
  test(`plugins – headers as a ${headers.constructor.name} → every function throws an error with the remedy`, () => {
    for (const give of [
      () => withHeaders(text('a'), headers),
      () => text('a', { headers }),
      () => redirect('/a', 302, { headers }),
      () => new HttpProblem(404, 'None', { headers }),
    ])
      assert.throws(give, /a Map as headers; write Object\.fromEntries\(headers\)/);
  });

const COOKIES = ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'Vary', 'Accept, Cookie', 'Cache-Control', 'private'];
for (const [headers, lines] of [
  [{ 'SET-COOKIE': 'c=3' }, [...COOKIES, 'SET-COOKIE', 'c=3']],
  [{ Link: '</a>; rel="next"' }, [...COOKIES, 'Link', '</a>; rel="next"']],
  [{ vary: 'Origin' }, [...COOKIES.slice(0, 4), 'Cache-Control', 'private', 'vary', 'Accept, Cookie, Origin']],
  [
    { Vary: 'accept, Accept, Origin' },
    [...COOKIES.slice(0, 4), 'Cache-Control', 'private', 'Vary', 'Accept, Cookie, Origin'],
  ],
  [{ Vary: '*' }, [...COOKIES.slice(0, 4), 'Cache-Control', 'private', 'Vary', '*']],
  [{ 'cache-control': 'no-store' }, [...COOKIES.slice(0, 6), 'cache-control', 'no-store']],
] as const)
  test(`D46 – withHeaders ${JSON.stringify(headers)} on a reply with cookies and Vary → cookies and names of Vary are kept`, () => {
    assert.deepEqual(withHeaders({ status: 204, headers: COOKIES }, headers).headers, lines);
    const reply = withHeaders(withHeaders({ status: 200, headers: { Link: '</b>' } }, headers), headers);
    assert.equal(headerOf(reply, 'Link'), '</b>');
  });

test('D46 – a reply with two cookies, and a stage that adds one → all three are sent', async () => {
  const adding: Stage = async (context, next) => withHeaders(await next(context), { 'Set-Cookie': 'c=3' });
  const replies = { value: json([1]), text: text('a'), empty: empty() };
  for (const [path, reply] of Object.entries(replies)) {
    const handle = () => withHeaders(withHeaders(reply, { 'Set-Cookie': 'a=1' }), { 'Set-Cookie': 'b=2' });
    const routes = [plain(path, { handle, stages: [adding] })];
    const app = application([{ name: 'a', stages: [adding], routes }]);
    const { headers } = await app.request(`/${path}`);
    assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2', 'c=3', 'c=3']);
  }
});
