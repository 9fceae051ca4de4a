/** Tests what `npm run learn` prints, and its exit code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { learn } from './learn.ts';
import { lessons, shownPath } from './lessons.ts';

/** Returns the output of the command and its exit code. */
async function outputOf(context: TestContext, args: readonly string[], command = learn) {
  const [log, error] = (['log', 'error'] as const).map((name) => context.mock.method(console, name, () => {}));
  const status = await command(args);
  const [stdout, stderr] = [log!, error!].map(({ mock }) =>
    mock.calls.map((call) => `${call.arguments[0]}\n`).join(''),
  );
  return { status, stdout: stdout!, stderr: stderr! };
}

const WORDS = 'give a number from 1 to 16; the other words are hint, answer, reset and help';
for (const [args, expected] of [
  [['0'], `There is no lesson "0": ${WORDS}`],
  [['17'], `There is no lesson "17": ${WORDS}`],
  [['fold'], `There is no lesson "fold": ${WORDS}`],
  [['3', 'hnt'], `There is no lesson "hnt": ${WORDS}`],
  [['3x'], `There is no lesson "3x": ${WORDS}`],
  [['3', '4'], 'One lesson at a time: npm run learn 3'],
  [['hint'], 'Of which lesson? npm run learn 3 hint'],
  [['--hint'], 'Of which lesson? npm run learn 3 hint'],
  [['reset'], 'Of which lesson? npm run learn 3 reset'],
  [['3', 'hint', 'answer'], 'Use either hint or answer, not both'],
  [['3', '--hint', '--answer'], 'Use either hint or answer, not both'],
  [['3', '--hnt'], "Unknown option '--hnt'; the other words are hint, answer, reset and help"],
  [['reset', '17'], `There is no lesson "17": ${WORDS}`],
  [['--reset', '17'], `There is no lesson "17": ${WORDS}`],
  [['--reset', '3', '4'], 'One lesson at a time: npm run learn 3'],
] as const)
  test(`lessons – learn ${args.join(' ')} → one line, and exit code 2`, async (t) => {
    const { status, stdout, stderr } = await outputOf(t, args);
    assert.deepEqual([status, stdout, stderr], [2, '', `${expected}\n`]);
  });

// PowerShell loses the `--` before an option, and npm takes the option. A word reaches the command from every shell.
for (const args of [
  ['3', 'hint'],
  ['hint', '3'],
  ['03', 'hint'],
  ['3', '--hint'],
  ['--hint', '3'],
])
  test(`lessons – learn ${args.join(' ')} → the hint and the file to edit, but not the text`, async (t) => {
    const { status, stdout } = await outputOf(t, args);
    assert.equal(status, 0);
    assert.match(stdout, /There are two cases[^]*Now: edit test\/lessons\/03-answer-early\/exercise\.ts/);
    assert.doesNotMatch(stdout, /# 3\. Answer early/);
  });

for (const args of [
  ['3', 'answer'],
  ['3', '--answer'],
])
  test(`lessons – learn ${args.join(' ')} → the worked answer, and its cases, which all pass`, async (t) => {
    const { status, stdout } = await outputOf(t, args);
    assert.equal(status, 0);
    assert.match(stdout, /^\/\*\* Lesson 3, answered[^]*\n✓ a GET → goes on to the route\n/);
    assert.doesNotMatch(stdout, /✗/);
  });

for (const args of [['help'], ['--help'], ['-h'], ['3', 'help']])
  test(`lessons – learn ${args.join(' ')} → commands that need no \`--\``, async (t) => {
    const { status, stdout } = await outputOf(t, args);
    assert.equal(status, 0);
    assert.match(stdout, /^npm run learn 3 hint {5}a hint$/m);
    assert.doesNotMatch(stdout, / --/);
  });

test('lessons – learn 3 → the text, the cases, and what to do next', async (t) => {
  const { status, stdout } = await outputOf(t, ['3']);
  assert.match(stdout, /^# 3\. Answer early\n[^]*\n[✓✗] a GET → goes on to the route\n/);
  assert.match(stdout, status === 0 ? /\nNext: npm run learn 4\n$/ : /\nA hint: npm run learn 3 hint\n$/);
  assert.ok(status === 0 || status === 1, String(status));
});

/** A copy of the lessons without git. */
const copy = temporaryFolder();
const COPIED = ['package.json', 'src', 'test/lessons', 'test/support', 'test/core/pipeline'];
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
const COMMAND_THERE = pathToFileURL(join(copy, 'test/lessons/learn.ts')).href;

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:GIT|npm)_/.test(name)));
const OPTIONS = { env, encoding: 'utf8', timeout: 60_000 } as const;
const run = (command: string, ...args: readonly string[]) => spawnSync(command, args, { ...OPTIONS, cwd: copy });
const reset = (...words: readonly string[]) =>
  run(process.execPath, '--import', import.meta.resolve('tsx'), 'test/lessons/learn.ts', ...words);

for (const words of [
  ['reset', '3'],
  ['3', 'reset'],
  ['--reset', '3'],
])
  test(`lessons – learn ${words.join(' ')}, in a copy without git → exit code 2, with the remedy`, () => {
    const { status, stdout, stderr } = reset(...words);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Cannot reset test\/lessons\/03-answer-early\/exercise\.ts: git has no earlier version/);
  });

const hasGit = spawnSync('git', ['--version']).status === 0;
test('lessons – learn reset 3, in a clone → the original exercise, and the path of a copy of the edited one', {
  skip: !hasGit && 'git is not installed',
}, () => {
  const exercise = join(copy, 'test/lessons/03-answer-early/exercise.ts');
  run('git', 'init', '--quiet');
  run('git', 'add', 'test');
  run('git', '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'first');
  const before = readFileSync(exercise, 'utf8');
  writeFileSync(exercise, 'the work of a learner');
  const { status, stdout } = reset('reset', '3');
  assert.equal(status, 0);
  assert.equal(readFileSync(exercise, 'utf8'), before);
  assert.equal(readFileSync(/ is in (.+)$/m.exec(stdout)![1]!, 'utf8'), 'the work of a learner');
});

const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
test('lessons – node test/lessons/learn.ts, in a copy without an installation → runs a lesson, and names itself', {
  skip: !stripsTypes && 'Node runs TypeScript since version 22.18',
}, () => {
  const bare = temporaryFolder();
  for (const name of COPIED) cpSync(join(ROOT, name), join(bare, name), { recursive: true });
  const { stdout } = spawnSync(process.execPath, ['test/lessons/learn.ts', '1'], { ...OPTIONS, cwd: bare });
  assert.match(stdout, /^# 1\. The fold\n[^]*[✓✗] a pipeline that gets no request → calls no stage\n/);
  assert.match(stdout, /: node test\/lessons\/learn\.ts (?:1 hint|2)\n$/);
});

const FROM_SERVED = "withHeaders(reply, { 'X-Served-By': 'lesson' })";
const CHANGED = "(reply.headers.set('X-Served-By', 'lesson'), reply)";
/** Mistakes of learners: a lesson, a part of its worked answer, the wrong code instead, and the expected message. */
const MISTAKES: readonly (readonly [number: number, right: string | RegExp, mistake: string, message: RegExp])[] = [
  [1, 'reduceRight', 'reduce', /They are called in the order c, b, a\. Which stage must be wrapped first/],
  [1, /=>\s+stages/, '=> void stages', /pipeline\(…\) returns no handler: is there a `return`\?/],
  [
    1,
    /=>\s+stages\.reduceRight[^]*?\n {2}\);/,
    '=> { let next = end; for (const one of stages.toReversed()) next = (context) => one(context, next); return next; };',
    /A function calls itself without end\.[^\n]*\n +at exercise\.ts:\d+\n/,
  ],
  [
    2,
    FROM_SERVED,
    CHANGED,
    /headers\.set is not a function\n +A reply is read-only, and its headers are a list\. withHeaders\(reply, …\) returns/,
  ],
  [
    6,
    'reply instanceof Promise ? reply.then(marked) : marked(reply)',
    'reply.then(marked)',
    /✗ [^\n]*\n +It throws TypeError: reply\.then is not a function\n +next\(context\) returns a reply here\./,
  ],
  [
    6,
    FROM_SERVED,
    CHANGED,
    /headers\.set is not a function\n[^\n]* it is read-only: withHeaders\(reply, …\) returns a copy\n/,
  ],
  [8, 'Number(values.n) + 1', 'values.n + 1', /A value of the path is a text, and '8' \+ 1 is '81'\./],
  [
    10,
    'name = user.find(context)',
    'name = user.get(context)',
    /no stage has set it; [^\n]*find\(context\), which returns undefined/,
  ],
  [13, 'Number(page) + 1', 'page + 1', /A value of the path is a text, and '2' \+ 1 is '21'\./],
  [14, 'Number(values.n) + 1', 'values.n + 1', /A value of the path is a text, and '7' \+ 1 is '71'\./],
  [13, /(prediction = \{)([^]*)( *"link\('search'[^\n]*\n)\}/, '$1\n$3$2}', /✓ the prediction for a reader/],
  [4, /: 403,/, ': 200,', /✗ the prediction[^\n]*\n +Something else happens for 1 of the 3\.\n/],
];
for (const [number, right, mistake, expected] of MISTAKES)
  test(`lessons – learn ${number}, with ${mistake} → a message about this mistake`, async (t) => {
    const lesson = lessons().find((one) => one.number === number)!;
    const changed = lesson.answer.replace(right, mistake);
    assert.notEqual(changed, lesson.answer);
    writeFileSync(join(copy, shownPath(lesson, 'exercise.ts')), changed);
    const { learn: learnThere } = (await import(COMMAND_THERE)) as { learn: typeof learn };
    const { stdout } = await outputOf(t, [`${number}`], learnThere);
    assert.match(stdout, expected);
    assert.doesNotMatch(stdout, /Got unwanted|actual - expected|PromiseRejectCallback|do not count in a variable/);
  });
