/** The evening's read: the files of the README's table are what runs for one request, all of it but a few. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { SOURCE_LOADER } from '../support/program.ts';
import { ROOT, textOf } from './source-files.ts';

const MAX_FILES = 24;
/** The README has both numbers. Lower them with the tree. */
const MAX_LINES = 1_770;
const MAX_OTHERS = 6;

const README = textOf('README.md');

/** In the order in which the README leads through them. */
const READ = [...README.matchAll(/^\| \d+ \| \[`[^`]+`\]\(([^)]+)\)/gm)].map(([, path]) => path!);

/** What runs for `GET /api/todo/KEY`, as V8 counts the calls of functions. */
function ranFiles(): string[] {
  // The coverage of the tests would be taken away by this one.
  const env = { ...process.env, NODE_V8_COVERAGE: undefined };
  const command = [...SOURCE_LOADER, '--no-warnings', 'test/house/evening-run.ts'];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    encoding: 'utf8',
    env,
    timeout: 20_000,
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as string[];
}

test(`the evening's read – the table of the README → at most ${MAX_FILES} files, once each, and ${MAX_LINES} lines`, () => {
  assert.equal(new Set(READ).size, READ.length, READ.join(', '));
  assert.ok(READ.length > MAX_FILES / 2 && READ.length <= MAX_FILES, `${READ.length} files`);
  const lines = READ.map((file) => textOf(file).trimEnd().split('\n').length);
  const sum = lines.reduce((all, one) => all + one, 0);
  assert.ok(sum <= MAX_LINES, `${sum} lines: ${READ.map((file, at) => `${file} ${lines[at]}`).join(', ')}`);
});

test("the evening's read – the README → tells how many lines it is, and how many other files run", () => {
  assert.ok(README.includes(`at most ${MAX_LINES.toLocaleString('en')} lines`));
  assert.ok(README.includes(`At most ${MAX_OTHERS} other files run`));
});

test(`the evening's read – one GET of the item → each file of the table runs, and at most ${MAX_OTHERS} others do`, () => {
  const ran = ranFiles();
  assert.deepEqual(
    READ.filter((file) => !ran.includes(file)),
    [],
    'the README leads through files that do not run',
  );
  const others = ran.filter((file) => !READ.includes(file));
  assert.ok(others.length <= MAX_OTHERS, `${others.length} others run: ${others.join(', ')}`);
});
