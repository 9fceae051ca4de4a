/**
 * Checks that `test/` mirrors `src/`: each folder is a room of `src/` or one of the folders below, each test stands in
 * the room of its subject, and each room that decides something has tests. `test/README.md` says where a case belongs.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

interface Tables {
  /** Folders of `test/` that are about the whole service or the project. */
  readonly others: readonly string[];
  /** Tests of several files of their room, each with its subject. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Rooms without tests of their own, each with the test that has their cases. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

const TABLES: Tables = {
  others: [
    'abuse',
    'bench',
    'browser',
    'clients',
    'deploy',
    'e2e',
    'engines',
    'expressions',
    'hosts',
    'house',
    'lending',
    'lessons',
    'release',
    'schemas',
    'style',
    'support',
    'surface',
    'tasks',
  ],
  subjects: {
    'extensions/description/described-parameters.test.ts': 'parameters in both documents',
    'extensions/collection/notes.test.ts': 'another plugin that keeps a collection',
    'core/application/bounded-values.test.ts': 'values past the bound of an expression, over HTTP',
    'core/wire/connection/connections.test.ts': 'how many connections, and how many requests on each',
    'core/wire/endings.test.ts': 'requests and replies that end early',
    'core/wire/hardening.test.ts': 'known failures of naive services',
    'core/message/headers/header-cost.test.ts': 'the time to read any header, by its length',
    'core/wire/pipelining.test.ts': 'several requests on one connection',
    'core/wire/reply/replaced-streams.test.ts': 'streams of replies that are not sent',
    'core/wire/reply/client-left.test.ts': 'clients that leave a streamed reply',
    'core/routing/constraints/expressions.test.ts': 'which expressions are allowed, and what they cost',
    'core/routing/constraints/recorded-expressions.test.ts': 'the same, as another checker answers',
    'core/routing/declaration.test.ts': 'faults in declared routes',
    'core/routing/explain.test.ts': 'why a route did or did not take a request',
    'core/routing/match/matching.test.ts': 'matching, row by row',
    'core/routing/recorded.test.ts': 'the recorded answers of the described system',
    'core/routing/round-trip.test.ts': 'links, matched again',
    'core/routing/safety.test.ts': 'the time of matching, by the length of a segment',
    'extensions/redis/faults.test.ts': 'what an engine does wrong, and what the service answers then',
    'extensions/todo/full-store.test.ts': 'a store that is full',
  },
  elsewhere: {
    'extensions/trace/explain': 'program/trace/explanation.test.ts',
    'extensions/trace/live': 'program/trace/traced-service.test.ts',
    'core/operations/schema/declaration': 'core/operations/schema/assert-schema.test.ts',
    'core/routing/template': 'core/routing/declaration.test.ts',
    'core/routing/text': 'core/routing/links/links.test.ts',
  },
};

/** A file that exports types alone decides nothing. */
const decides = (text: string): boolean =>
  /^(?:export (?:default|async|function|const|class)|await|process\.)\b/m.test(text);

/** A folder with all folders above it; `.` is the root. */
function withParents(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...withParents(posix.dirname(folder))];
}

/**
 * What is wrong with the place of tests.
 *
 * @param sources paths below `src/` with their texts
 * @param testFiles paths below `test/`
 */
function misplaced(
  sources: ReadonlyMap<string, string>,
  testFiles: readonly string[],
  { others, subjects, elsewhere }: Tables,
): string[] {
  const rooms = new Set([...sources.keys()].flatMap((path) => withParents(posix.dirname(path))));
  const deciding = new Set([...sources].filter(([, text]) => decides(text)).map(([path]) => posix.dirname(path)));
  const folders = new Set(testFiles.map((path) => posix.dirname(path)));
  const tests = testFiles.filter((path) => path.endsWith('.test.ts') && !others.includes(path.split('/')[0]!));
  const tested = new Set(tests.map((path) => posix.dirname(path)));
  const named = (path: string): boolean => {
    const folder = posix.dirname(path);
    const names = [...sources.keys()].filter((source) => posix.dirname(source) === folder);
    const subject = posix.basename(path, '.test.ts');
    return [...names.map((source) => posix.basename(source, '.ts')), posix.basename(folder)].some(
      (name) => subject === name || subject.startsWith(`${name}-`),
    );
  };
  return [
    ...[...folders]
      .filter((folder) => !rooms.has(folder) && !others.includes(folder.split('/')[0]!))
      .map((folder) => `test/${folder} is no room of src`),
    ...tests
      .filter((path) => !named(path) && !(path in subjects))
      .map((path) => `${path} is named after no file of its room`),
    ...[...deciding]
      .filter((room) => !tested.has(room) && !(room in elsewhere))
      .map((room) => `src/${room} has no test`),
    ...Object.keys(subjects)
      .filter((path) => !tests.includes(path))
      .map((path) => `${path} is listed and not there`),
    ...Object.entries(elsewhere).flatMap(([room, path]) => [
      ...(rooms.has(room) ? [] : [`${room} is listed and no room`]),
      ...(tested.has(room) ? [`${room} is listed and has tests`] : []),
      ...(testFiles.includes(path) ? [] : [`${path} is listed and not there`]),
    ]),
  ];
}

const NONE: Tables = { others: ['e2e'], subjects: {}, elsewhere: {} };

for (const [sources, testFiles, tables, faults] of [
  [['http/reply/a.ts'], ['http/reply/a.test.ts', 'e2e/b.test.ts'], NONE, []],
  [['http/reply/a.ts'], ['http/reply/reply.test.ts', 'http/reply/a-slow.test.ts', 'http/cases.ts'], NONE, []],
  [['a.ts'], ['a.test.ts'], NONE, []],
  [['http/a.ts'], ['http/a.test.ts', 'misc/x.ts'], NONE, ['test/misc is no room of src']],
  [['http/a.ts', 'api/b.ts'], ['http/a.test.ts'], NONE, ['src/api has no test']],
  [['http/a.ts', 'api/b.ts'], ['http/a.test.ts'], { ...NONE, elsewhere: { api: 'http/a.test.ts' } }, []],
  [['http/a.ts'], ['http/a.test.ts', 'http/b.test.ts'], NONE, ['http/b.test.ts is named after no file of its room']],
  [['http/a.ts'], ['http/b.test.ts'], { ...NONE, subjects: { 'http/b.test.ts': 'a, in parts' } }, []],
  [
    ['http/a.ts'],
    ['http/a.test.ts'],
    { ...NONE, subjects: { 'http/b.test.ts': 'gone' } },
    ['http/b.test.ts is listed and not there'],
  ],
] as const) {
  test(`house – tests ${testFiles.join(', ')} of ${sources.join(', ')} → ${faults[0] ?? 'in their place'}`, () => {
    const texts = new Map(sources.map((path) => [path, 'export const one = 1;']));
    assert.deepEqual(misplaced(texts, testFiles, tables), faults);
  });
}

test('house – a room that exports types alone → needs no test', () => {
  assert.deepEqual(misplaced(new Map([['http/a.ts', 'export type A = string;']]), [], NONE), []);
});

test('house – the tests → mirror src', () => {
  const below = (folder: string): string[] => filesIn(folder).map((path) => posix.relative(folder, path));
  const sources = new Map(
    below('src').flatMap((path) => (path.endsWith('.ts') ? [[path, textOf(`src/${path}`)] as const] : [])),
  );
  const tests = below('test');
  assert.ok(sources.size > 100 && tests.length > 100, `${sources.size} sources, ${tests.length} files of tests`);
  assert.deepEqual(misplaced(sources, tests, TABLES), []);
});
