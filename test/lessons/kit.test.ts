/** What a lecturer takes to class: the holes, and each command of the page for teachers. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { PROGRAM } from '../support/program.ts';
import * as tiny from './tiny.ts';
import { CASES } from './tiny-cases.ts';

/** Not compiled: what the holes need is not used yet. */
const start = (await import(new URL('tiny-start.ts', import.meta.url).href)) as typeof tiny;

for (const [name, holds] of Object.entries(CASES)) {
  test(`lessons – tiny.ts, ${name}`, () => holds(tiny));
  test(`lessons – tiny-start.ts, not filled: ${name} → fails`, () =>
    assert.rejects(holds(start), assert.AssertionError));
}

test('lessons – tiny-start.ts → tiny.ts without the lines of three holes', () => {
  const [given, whole] = ['tiny-start.ts', 'tiny.ts'].map((name) =>
    textOf(`test/lessons/${name}`).replace(/^[^]*?\*\/\n/, ''),
  ) as [string, string];
  const holes = given.match(/^ *\/\/ ▼ .*\n.*\n/gm) ?? [];
  assert.equal(holes.length, 3);
  const lines = whole.split('\n');
  let at = 0;
  const changed = given
    .replaceAll(/^ *\/\/ ▼ .*\n.*\n/gm, '')
    .split('\n')
    .filter((line) => {
      const found = lines.indexOf(line, at);
      at = found + 1;
      return found < 0;
    });
  assert.deepEqual(changed, []);
  assert.equal(lines.length, given.split('\n').length);
});

/** Ends with this process where a program of it has not ended. */
const OPTIONS = { cwd: ROOT, encoding: 'utf8', timeout: 60_000 } as const;

/** The words of a command, whose quotes are double ones. */
const wordsOf = (command: string): string[] =>
  (command.match(/(?:[^\s"]|"(?:\\"|[^"])*")+/g) ?? []).map((word) =>
    word.replaceAll(/\\?"/g, (quote) => (quote === '"' ? '' : '"')),
  );

/** Starts a server, and ends it once it has printed its address. */
async function starts(args: readonly string[]): Promise<string> {
  const server = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(server.stdout, 'data');
  server.kill();
  await once(server, 'exit');
  return String(printed);
}

const run = (args: readonly string[]) => spawnSync(process.execPath, args, OPTIONS);

/** How each kind of command on the page is tried. */
const KINDS: readonly (readonly [command: RegExp, tried: (words: readonly string[]) => Promise<void> | void])[] = [
  [/^npm ci --ignore-scripts$/, () => assert.ok(textOf('package-lock.json').length > 0)],
  [
    /^npm start\b/,
    async ([, , , ...flags]) => assert.match(await starts([...PROGRAM, ...flags, '--port', '0']), /\/api\/todo/),
  ],
  [
    /^npm run explain -- /,
    ([, , , , ...args]) => {
      const { status, stdout, stderr } = run([...PROGRAM, 'explain', ...args]);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /← problems/);
    },
  ],
  [
    /^npm run learn -- \d/,
    ([, , , , ...args]) => {
      const { status, stdout } = run(['--import', 'tsx', 'test/lessons/learn.ts', ...args]);
      assert.ok(status === 0 || status === 1, String(status));
      assert.match(stdout, /Lesson \d+, answered|^# \d+\. /);
    },
  ],
  [
    /steps\/serve\.ts /,
    async ([, ...args]) => assert.match(await starts([...args, '0']), /^http:\/\/127\.0\.0\.1:\d+\/api\/todo/),
  ],
  [
    /^node --import tsx test\/lessons\/tiny\.ts$/,
    () => assert.match(textOf('test/lessons/tiny.ts'), /listen\(8080, '127\.0\.0\.1'\);$/m),
  ],
  [
    / --test .*\.ts$/,
    ([, ...args]) => {
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
      const { stdout } = spawnSync(process.execPath, args, { ...OPTIONS, env });
      assert.match(stdout, /^(?:#|ℹ) tests [1-9]/m);
    },
  ],
  [/^curl localhost:8080\/throws$/, () => assert.match(textOf('test/lessons/steps/mistakes.ts'), /'\/throws'/)],
];

const page = textOf('test/lessons/teacher.md');
const commands = new Set([...page.matchAll(/`((?:npm|node|curl) [^`]+)`/g)].map(([, command]) => command!));

test('lessons – the page for teachers → has commands', () => assert.ok(commands.size > 10, [...commands].join('\n')));
for (const command of commands)
  test(`lessons – the page for teachers, ${command} → does what it should`, async () => {
    const [, tried] = KINDS.find(([kind]) => kind.test(command)) ?? assert.fail('There is no such kind of command');
    await tried(wordsOf(command));
  });
