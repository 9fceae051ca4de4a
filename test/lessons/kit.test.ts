/** Tests the material for a class: the holes of `tiny-start.ts`, and each command of the page for teachers. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { PROGRAM, SOURCE_LOADER } from '../support/program.ts';
import { lessons } from './lessons.ts';
import * as tiny from './tiny.ts';
import { CASES } from './tiny-cases.ts';

/** Loaded without type checks: its unfinished code has unused names. */
const unfilled = (await import(new URL('tiny-start.ts', import.meta.url).href)) as typeof tiny;

for (const [name, holds] of Object.entries(CASES)) {
  test(`lessons – tiny.ts, ${name}`, () => holds(tiny));
  test(`lessons – tiny-start.ts, not filled: ${name} → fails`, () =>
    assert.rejects(holds(unfilled), assert.AssertionError));
}

test('lessons – tiny-start.ts → tiny.ts without the lines of three holes', () => {
  const [start, whole] = ['tiny-start.ts', 'tiny.ts'].map((name) =>
    textOf(`test/lessons/${name}`).replace(/^[^]*?\*\/\n/, ''),
  ) as [string, string];
  const holes = start.match(/^ *\/\/ ▼ .*\n.*\n/gm) ?? [];
  assert.equal(holes.length, 3);
  const lines = whole.split('\n');
  let at = 0;
  const changed = start
    .replaceAll(/^ *\/\/ ▼ .*\n.*\n/gm, '')
    .split('\n')
    .filter((line) => {
      const found = lines.indexOf(line, at);
      at = found + 1;
      return found < 0;
    });
  assert.deepEqual(changed, []);
  assert.equal(lines.length, start.split('\n').length);
});

/** The time limit ends a program that does not end. */
const OPTIONS = { cwd: ROOT, encoding: 'utf8', timeout: 60_000 } as const;

/** Returns the words of a command. All quotes are double quotes. */
const wordsOf = (command: string): string[] =>
  (command.match(/(?:[^\s"]|"(?:\\"|[^"])*")+/g) ?? []).map((word) =>
    word.replaceAll(/\\?"/g, (quote) => (quote === '"' ? '' : '"')),
  );

/** Starts a server, kills it after its first output, and returns that output. */
async function starts(args: readonly string[]): Promise<string> {
  const server = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(server.stdout, 'data');
  server.kill();
  await once(server, 'exit');
  return String(printed);
}

const run = (args: readonly string[]) => spawnSync(process.execPath, args, OPTIONS);

/** For each kind of command on the page, a function that tries it. */
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
    /^(?:npm run learn|node test\/lessons\/learn\.ts) \d/,
    (words) => {
      const args = words.slice(words.findIndex((word) => /^\d/.test(word)));
      const { status, stdout } = run(['--import', 'tsx', 'test/lessons/learn.ts', ...args]);
      assert.ok(status === 0 || status === 1, String(status));
      assert.match(stdout, /Lesson \d+, answered|^# \d+\. |\nNow: edit/);
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
  test(`lessons – the page for teachers, ${command} → works`, async () => {
    const [, tried] = KINDS.find(([kind]) => kind.test(command)) ?? assert.fail('No test knows this kind of command');
    await tried(wordsOf(command));
  });

/** Returns the cells of each row of the page whose first cell matches. */
const rowsOf = (first: RegExp): readonly (readonly string[])[] =>
  page
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));

test('lessons – the plan for a class → has no gap, and the minutes that its lessons and steps take', () => {
  const minutesOf = new Map(rowsOf(/^\d+$/).map(([number, minutes]) => [number, Number(minutes)]));
  assert.deepEqual(
    [...minutesOf.keys()],
    lessons().map(({ number }) => String(number)),
  );
  let end = 0;
  for (const [time = '', topic = '', show = ''] of rowsOf(/^\d+–\d+$/)) {
    const [from, to] = time.split('–').map(Number) as [number, number];
    assert.equal(from, end, time);
    end = to;
    const planned = /^Lessons? ([\d, and]+)/
      .exec(topic)?.[1]
      ?.match(/\d+/g)
      ?.map((one) => minutesOf.get(one)!);
    const steps = /^steps ([\d, and]+)$/
      .exec(show)?.[1]
      ?.match(/\d+/g)
      ?.map(() => 7);
    const needed = planned ?? steps;
    if (needed !== undefined)
      assert.equal(
        to - from,
        needed.reduce((sum, one) => sum + one),
        `${time} ${topic}`,
      );
  }
  assert.match(page, new RegExp(`^## The plan: ${end} minutes$`, 'm'));
});

test('lessons – the drawing of the stages → closed boxes, in the order in which a request enters the stages', () => {
  const drawing = /^┌[^]*┘$/m.exec(textOf('test/lessons/README.md'))![0].split('\n');
  assert.equal(new Set(drawing.map((line) => line.length)).size, 1);
  const drawn = drawing.flatMap((line) => /┌─ (.+?) ─/.exec(line)?.[1] ?? []);
  const entered = [
    ...run([...SOURCE_LOADER, 'src/main.ts', 'explain', 'GET', '/api/todo']).stdout.matchAll(/→ (?:.+: )?(\w+)$/gm),
  ];
  const stages = entered.map(([, name]) => name!);
  assert.deepEqual(
    drawn.slice(1).map((text) => stages.find((name) => text.includes(name))),
    stages,
  );
});
