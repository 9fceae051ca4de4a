/** Checks the table of the evening's read: the files that run for one request, their lines, and their functions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { SOURCE_LOADER } from '../support/program.ts';
import { ROOT, textOf } from './source-files.ts';

const MAX_FILES = 16;
/** The page states both numbers. Lower them when the files become shorter. */
const MAX_LINES = 1_300;
const MAX_OTHERS = 12;
/** The tolerance in lines, so that a small change of a file does not require a change of the page. */
const LINES_OFF = 5;

const PAGE = textOf('src/README.md');

const rows = [...PAGE.matchAll(/^\| \d+ \| \[`[^`]+`\]\(([^)]+)\) \| (\d+) \| (\d+) \| ([^|]+) \|/gm)].map(
  ([, path, lines, minutes, names]) => ({
    file: `src/${path}`,
    lines: Number(lines),
    minutes: Number(minutes),
    names: [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  }),
);

/** The files in the order of the page. */
const READ = rows.map(({ file }) => file);
const linesIn = (file: string): number => textOf(file).trimEnd().split('\n').length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns the files with at least one function that V8 counts as called for `GET /api/todo/KEY`. */
function ranFiles(): string[] {
  // Two coverage runs in one process would disturb each other.
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

test(`the evening's read – the table → at most ${MAX_FILES} files, each once, and at most ${MAX_LINES} lines`, () => {
  assert.equal(new Set(READ).size, READ.length, READ.join(', '));
  assert.ok(READ.length > MAX_FILES / 2 && READ.length <= MAX_FILES, `${READ.length} files`);
  const total = sum(READ.map(linesIn));
  assert.ok(total <= MAX_LINES, `${total} lines`);
});

test(`the evening's read – each row → states the lines of its file, ±${LINES_OFF}, and names from the file`, () => {
  const wrong = rows.flatMap(({ file, lines, names }) => {
    const text = textOf(file);
    const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    const isOff = Math.abs(linesIn(file) - lines) > LINES_OFF;
    return [...(isOff ? [`${file} has ${linesIn(file)} lines`] : []), ...missing.map((name) => `${file}: no ${name}`)];
  });
  assert.deepEqual(wrong, []);
  assert.ok(rows.every(({ names }) => names.length > 0));
});

test("the evening's read – the page → states the lines, the number of other files and the minutes", () => {
  assert.ok(PAGE.includes(`at most ${MAX_LINES.toLocaleString('en')} lines`));
  assert.ok(PAGE.includes(`At most ${MAX_OTHERS} other files run`));
  assert.match(PAGE, new RegExp(`\\b${sum(rows.map(({ minutes }) => minutes))} in all`));
});

test(`the evening's read – one GET of the item → runs each file of the table and at most ${MAX_OTHERS} others`, () => {
  const ran = ranFiles();
  assert.deepEqual(
    READ.filter((file) => !ran.includes(file)),
    [],
    'the page lists files that do not run',
  );
  const others = ran.filter((file) => !READ.includes(file));
  assert.ok(others.length <= MAX_OTHERS, `${others.length} others run: ${others.join(', ')}`);
});
