/** The command of the lessons, `npm run learn`: what it prints, and its exit code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { learn } from './learn.ts';

/** What the command prints, and its exit code. */
async function told(context: TestContext, ...args: readonly string[]) {
  const [log, error] = (['log', 'error'] as const).map((name) => context.mock.method(console, name, () => {}));
  const status = await learn(args);
  const [stdout, stderr] = [log!, error!].map(({ mock }) =>
    mock.calls.map((call) => `${call.arguments[0]}\n`).join(''),
  );
  return { status, stdout: stdout!, stderr: stderr! };
}

for (const [args, expected] of [
  [['0'], 'There is no lesson "0": give a number from 1 to 16'],
  [['17'], 'There is no lesson "17": give a number from 1 to 16'],
  [['fold'], 'There is no lesson "fold": give a number from 1 to 16'],
  [['3', '4'], 'One lesson at a time: npm run learn -- 3'],
  [['--hint'], 'Of which lesson? npm run learn -- 3 --hint'],
  [['3', '--hint', '--answer'], 'Either --hint or --answer: both show something, one at a time'],
  [['3', '--hnt'], "Unknown option '--hnt'; there are --hint, --answer, --reset, --json and --help"],
  [['3', '--hint', '--json'], '--json is for the list, for a lesson and for grades'],
  [['--reset', '17'], 'There is no lesson "17": give a number from 1 to 16'],
  [['--reset', '3', '4'], '--reset stands alone: npm run learn -- --reset 3'],
  [['grade'], 'Grade which folder? npm run learn -- grade DIR'],
  [['grade', 'src'], `Nothing to grade in ${join(ROOT, 'src')}: a file such as src/01-fold/exercise.ts is expected`],
] as const)
  test(`lessons – learn ${args.join(' ')} → one line, and exit code 2`, async (t) => {
    const { status, stdout, stderr } = await told(t, ...args);
    assert.deepEqual([status, stdout, stderr], [2, '', `${expected}\n`]);
  });

test('lessons – learn 3 --hint → the hint and the file to edit, but not the text', async (t) => {
  const { status, stdout } = await told(t, '3', '--hint');
  assert.equal(status, 0);
  assert.match(stdout, /There are two cases[^]*Now: edit test\/lessons\/03-answer-early\/exercise\.ts/);
  assert.doesNotMatch(stdout, /# 3\. Answer early/);
});

test('lessons – learn 3 --answer → the worked answer, and its cases, which all hold', async (t) => {
  const { status, stdout } = await told(t, '3', '--answer');
  assert.equal(status, 0);
  assert.match(stdout, /^\/\*\* Lesson 3, answered[^]*\n✓ a GET → goes on to the route\n/);
  assert.doesNotMatch(stdout, /✗/);
});

test('lessons – learn 3 → the text, the cases, and what to do next', async (t) => {
  const { status, stdout } = await told(t, '3');
  assert.match(stdout, /^# 3\. Answer early\n[^]*\n[✓✗] a GET → goes on to the route\n/);
  assert.match(stdout, status === 0 ? /\nNext: npm run learn -- 4\n$/ : /\nA hint: npm run learn -- 3 --hint\n$/);
  assert.ok(status === 0 || status === 1, String(status));
});

test('lessons – learn 3 --json → the lesson, its state and its cases', async (t) => {
  const { status, stdout } = await told(t, '3', '--json');
  const [{ number, title, state, cases }] = JSON.parse(stdout);
  assert.deepEqual([number, title, status], [3, 'Answer early', state === 'done' ? 0 : 1]);
  assert.ok(cases.length >= 4 && (state === 'done') === cases.every(({ holds }: { holds: boolean }) => holds));
});

/** A folder with what is handed in for lessons 9 and 12, made of the worked answers. */
function handedIn(nine: (answer: string) => string, twelve: (answer: string) => string): string {
  const folder = temporaryFolder();
  for (const [name, change] of [
    ['09-start-and-stop', nine],
    ['12-constraint-or-check', twelve],
  ] as const) {
    mkdirSync(join(folder, name));
    const answer = readFileSync(join(ROOT, `test/lessons/answers/${name}.ts`), 'utf8');
    writeFileSync(join(folder, name, 'exercise.ts'), change(answer));
  }
  return folder;
}

const besideJournal = (answer: string): string => answer.replaceAll('../09-start-and-stop/', './');

test('lessons – learn grade, right work → every case holds, exit code 0', async (t) => {
  const { status, stdout } = await told(
    t,
    'grade',
    handedIn(besideJournal, (answer) => answer),
  );
  const lines =
    /^ 9 {2}done {2}(\d+) of \1 cases {2}.*\n12 {2}done {2}(\d+) of \2 cases {2}A constraint is no check\n$/;
  assert.match(stdout, lines);
  assert.equal(status, 0);
});

test('lessons – learn grade, work that does not load, and work that only the further cases refuse → open, 1', async (t) => {
  const broken = () => 'throw new Error("not finished")';
  const { status, stdout } = await told(
    t,
    'grade',
    handedIn(broken, (answer) => answer.replace('^[1-9]', '^(?:0x)?[1-9]')),
  );
  assert.match(stdout, /^ 9 {2}open {2}0 of 0 cases {2}[^]*Error: not finished/);
  assert.match(stdout, /\n12 {2}open {2}.*\n {4}✗ \/orders\/0x7 → 400\n/);
  assert.equal(status, 1);
});

test('lessons – learn --reset 3, in a copy → the exercise as it was at first; what was in it is kept', () => {
  const copy = temporaryFolder();
  for (const name of ['package.json', 'src', 'test/lessons'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  const exercise = join(copy, 'test/lessons/03-answer-early/exercise.ts');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: copy, env, encoding: 'utf8', timeout: 60_000 });
  const reset = () =>
    run(process.execPath, '--import', import.meta.resolve('tsx'), 'test/lessons/learn.ts', '--reset', '3');

  const without = reset();
  assert.deepEqual([without.status, without.stdout], [2, '']);
  assert.match(without.stderr, /^Cannot reset test\/lessons\/03-answer-early\/exercise\.ts: git has no earlier one/);

  run('git', 'init', '--quiet');
  run('git', 'add', 'test');
  run('git', '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'first');
  const before = readFileSync(exercise, 'utf8');
  writeFileSync(exercise, 'what a learner has written');
  const { status, stdout } = reset();
  assert.equal(status, 0);
  assert.equal(readFileSync(exercise, 'utf8'), before);
  assert.equal(readFileSync(/ is in (.+)$/m.exec(stdout)![1]!, 'utf8'), 'what a learner has written');
});
