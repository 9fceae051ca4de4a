/** Tests the stations of an operation, its input, its handler and its reply, in `explain` and in the trace. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as library from '../../../src/index.ts';
import type { Recording, Station } from '../../../src/plugins/trace/recording.ts';
import { trace } from '../../../src/plugins/trace/trace.ts';
import { explain } from '../../../src/service/explain.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readRecording } from './read-recording.ts';

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'application.js': `import { Readable } from 'node:stream';
  export default ({ answer, application, HttpProblem, notFound, ok, operation, route, stream, text }) => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const results = {
    wrong: () => ok({ name: 1 }),
    undeclared: () => answer(202, { name: 'a' }),
    number: () => 42,
    nothing: () => undefined,
    throws: () => { throw new Error('broken') },
    problem: () => { throw new HttpProblem(409, 'taken') },
    missing: () => notFound('There is no such thing'),
    waits: async () => ok({ name: 'a' }),
    rejects: async () => { throw new Error('late') },
    marked: () => answer(200, { name: 'a' }, { headers: { 'X-Marked': 'yes' } }),
    built: () => ({ status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"name":"a"}' }),
  };
  return application([{ name: 'things',
    outerStages: [function outermost(context, next) {
      if (context.path === '/throws') throw new Error('broken');
      return context.path === '/forgets' ? undefined : next(context);
    }],
    routes: [
      operation({ method: 'GET', path: 'things/{name}', query: { page: { type: 'integer' } },
        responses: { 200: { schema } }, handle: ({ values }) => (results[values.name] ?? (() => ok({ name: values.name })))() }),
      operation({ method: 'POST', path: 'things', body: schema, responses: { 200: { schema } }, handle: ({ body }) => ok(body) }),
      operation({ method: 'GET', path: 'early', responses: { 204: {} }, stages: [function early() { return text('early') }],
        handle: () => ({ status: 204 }) }),
      route({ path: 'plain', handle: () => text('plain') }),
      route({ path: 'fails', handle: () => stream(new Readable({ read() { this.destroy(new Error('broken')) } })) }),
    ] }], { log: () => {} });
};`,
});
const file = join(folder, 'application.js');
const { default: made } = (await import(pathToFileURL(file).href)) as {
  default(given: typeof library): library.RunnableApplication;
};
const { plugins, options } = made(library);
const traced = library.application([trace(), ...plugins], options);

const OK = ['input accepted', 'handler answered 200', 'reply answered 200'];
const RETURNED = ['input accepted', 'handler answered 200'];
/** A request, and what each station inside of the route did. A text that ends with `…` is only the beginning. */
const REQUESTS: readonly (readonly [request: string, ...stations: readonly string[]])[] = [
  ['GET /things/a', ...OK],
  ['GET /things/waits', ...OK],
  ['GET /things/marked', ...OK],
  ['GET /things/missing', 'input accepted', 'handler answered 404', 'reply answered 404'],
  ['POST /things -d {"name":"a"}', ...OK],
  ['GET /things/a -H If-None-Match:*', ...RETURNED, 'reply answered 304, was 200'],
  ['GET /things/a -H If-Match:"x"', ...RETURNED, 'reply answered 412, was 200'],
  [
    'GET /things/a?page=x',
    'input refused with 400: The parameters do not match their declaration (page: Expected an integer, not "x")',
  ],
  [
    'POST /things -d {"name":1}',
    'input refused with 400: The body does not match its schema (/name: Expected a string, not a number)',
  ],
  ['POST /things -d {', 'input refused with 400: …'],
  ['POST /things -d {} -H Content-Type:text/plain', 'input refused with 415: …'],
  ['GET /things/throws', 'input accepted', 'handler threw Error: broken'],
  ['GET /things/rejects', 'input accepted', 'handler threw Error: late'],
  ['GET /things/problem', 'input accepted', 'handler threw HttpProblem 409: taken'],
  ['GET /things/wrong', ...RETURNED, 'reply threw InvalidReply: The operation "ThingsByNameGet" returned a 200 that …'],
  ['GET /things/undeclared', 'input accepted', 'handler answered 202', 'reply threw InvalidReply: …'],
  ['GET /things/number', 'input accepted', 'handler answered', 'reply threw InvalidReply: …'],
  ['GET /things/nothing', 'input accepted', 'handler returned nothing', 'reply threw InvalidReply: …'],
  ['GET /early', 'things: early answered 200'],
  ['GET /plain', 'handler answered 200'],
];

/** Asserts that the stations are those of the row. */
function assertStations(stations: readonly string[], expected: readonly string[]): void {
  const shown = stations.map((station, at) => {
    const beginning = /^(.*)…$/.exec(expected[at] ?? '')?.[1];
    return beginning !== undefined && station.startsWith(beginning) ? expected[at] : station;
  });
  assert.deepEqual(shown, expected);
}

/** Returns what a station did, with the status of its result. */
function deedOf({ kind, label, did, error, reply, changes = [] }: Station): string {
  const result = { threw: error, refused: `with ${error}` }[did as string] ?? reply?.status;
  const was = changes.filter((change) => change.startsWith('was '));
  return [[kind === 'stage' ? label : kind, did, result].filter(Boolean).join(' '), ...was].join(', ');
}

/** Returns the stations inside of the route. */
const insideRoute = (stations: readonly Station[]): readonly Station[] =>
  stations.flatMap((station) => (station.kind === 'route' ? station.stations : insideRoute(station.stations)));

for (const [request, ...expected] of REQUESTS) {
  const [method, path, ...rest] = request.split(' ') as [string, string, ...string[]];

  test(`explain – ${request} → ${expected.join(', ')}`, async () => {
    const lines = (await explain([file, method, path, ...rest], {})).split('\n');
    const at = (mark: string): number => lines.findIndex((line) => line.trim().startsWith(`${mark} route `));
    const inside = lines.slice(at('→') + 1, at('←')).map((line) => {
      const [, name, did] = /^ +· (.*?) {2,}(.*)$/.exec(line)!;
      const deed = did!.replace(/, (?:synchronous|waited)/, '').replace(/[:,] [+~-] .*/, '');
      return `${name!.replace(/^handler .*/, 'handler')} ${deed.replace(': was', ', was')}`;
    });
    assertStations(inside, expected);
  });

  test(`trace – ${request} → ${expected.join(', ')}`, async () => {
    const value = (flag: string): string | undefined => rest[rest.indexOf(flag) + 1 || rest.length];
    const [name, text] = value('-H')?.split(':') ?? ['X-None', ''];
    const headers = { ...(value('-d') && { 'Content-Type': 'application/json' }), [name!]: text! };
    await (await traced.request(path, { method, headers, body: value('-d') })).text();
    const recording = await newest();
    assert.deepEqual([recording.method, recording.target], [method, path]);
    assertStations(insideRoute(recording.stations).map(deedOf), expected);
    const written = JSON.stringify({ recording });
    assert.deepEqual(await readRecording(written), JSON.parse(written), 'the page reads the recording');
  });
}

let seen = 0;
/** Waits for the next recording, which ends a moment after the reply. */
async function newest(): Promise<Recording> {
  for (seen += 1; ; await turnOfLoop()) {
    const reply = await traced.request(`/trace/requests/${seen}`);
    if (reply.status === 200) return ((await reply.json()) as { recording: Recording }).recording;
    await reply.text();
  }
}

test('trace – a header that the handler sets → a change of the handler, not of the reply', async () => {
  const { recording } = JSON.parse(await explain([file, 'GET', '/things/marked', '--json'], {}));
  const [, handler, reply] = insideRoute(recording.stations);
  assert.deepEqual(handler!.changes, ['+ X-Marked']);
  assert.ok(!reply!.changes!.includes('+ X-Marked'), reply!.changes!.join());
  assert.ok(reply!.reply!.headers.some(([name]) => name === 'X-Marked'));
});

test('trace – an operation → the three stations follow each other, within the time of the route', async () => {
  const { recording } = JSON.parse(await explain([file, 'GET', '/things/waits', '--json'], {}));
  const [input, handler, reply] = insideRoute(recording.stations) as [Station, Station, Station];
  const times = [input.entered, input.left!, handler.entered, handler.left!, reply.entered, reply.left!];
  assert.deepEqual(
    times.toSorted((one, other) => one - other),
    times,
  );
});

/** A request, and the lines of the output from the reply of the outermost stage to the written reply. */
for (const [request, ...expected] of [
  ['GET /throws', '· things: outermost threw Error: broken, synchronous', '· server caught it, answered 500'],
  ['GET /forgets', '· things: outermost returned nothing, synchronous', '· server answered 500'],
  ['GET /fails', '← things: outermost passed on 200, synchronous', '· server answered 500'],
  ['GET /plain', '← things: outermost passed on 200, synchronous'],
] as const)
  test(`explain – ${request} → ${expected.at(-1)}`, async () => {
    const lines = (await explain([file, ...request.split(' ')], {})).split('\n');
    const write = lines.findIndex((line) => line.startsWith('· write'));
    const outside = lines.slice(write - expected.length, write).map((line) => line.replaceAll(/ +/g, ' '));
    assert.deepEqual(outside, expected);
  });

test('explain – a request that no stage sees → the server has answered', async () => {
  const lines = (await explain(['GET', '/%zz'], {})).split('\n');
  assert.deepEqual(
    lines.slice(0, 3).map((line) => line.replace(/ +/g, ' ')),
    ['· parser HTTP/1.1, 2 header lines', '· server answered 400', '· write 400'],
  );
});
