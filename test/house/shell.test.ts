/**
 * Checks that commands work in `cmd` of Windows: the scripts of every package.json, and the commands in the README, the
 * guide and the pages for learners. Continuous integration (`.ci/run`) is a bash script.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { GUIDE } from './page-programs.ts';
import { filesIn, textOf } from './source-files.ts';

/** Removes the quoted parts of a command. */
const bare = (command: string, quote: string | RegExp): string =>
  command
    .split(quote)
    .filter((_, at) => at % 2 === 0)
    .join('""');

/** The possible errors of a command. `cmd` does not treat an escaped quote differently. */
const FAULTS: Readonly<Record<string, (command: string) => boolean>> = {
  'cmd does not support single quotes': (command) => command.includes("'"),
  'cmd interprets a character': (command) => /[&|<>^()]|%.*%/.test(bare(command, '"')),
  'a POSIX shell interprets a character': (command) =>
    /[$`]/.test(command) || /[&|<>;(){}[\]*?~#]/.test(bare(command, /(?<!\\)"/)),
  'it does not begin with a program that everybody has': (command) =>
    !/^(?:node|npm|npx|curl|tsc|c8|docker) /.test(command),
};
const faultsOf = (line: string): string[] =>
  line
    .split(' && ')
    .flatMap((command) =>
      Object.entries(FAULTS).flatMap(([fault, has]) => (has(command) ? [`${command}: ${fault}`] : [])),
    );

/** Splits a command line as programs on Windows do: `\"` is a quote, and a bare quote begins or ends a text. */
function wordsOnWindows(command: string): string[] {
  const words = command.match(/(?:[^\s"]|"(?:\\"|[^"])*")+/g) ?? [];
  return words.map((word) => word.replaceAll(/\\?"/g, (quote) => (quote === '"' ? '' : '"')));
}

/** Splits a command line with the shell of this machine. */
function wordsHere(command: string): string[] {
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  return JSON.parse(
    execFileSync(`"${process.execPath}" -e "${program}" -- ${command}`, { shell: true, encoding: 'utf8' }),
  );
}

test('house – every script of package.json → runs in cmd and in a POSIX shell', () => {
  const files = filesIn('').filter((path) => /(?:^|\/)package\.json$/.test(path));
  const scripts = files.flatMap((path) => Object.values<string>(JSON.parse(textOf(path)).scripts ?? {}));
  assert.ok(scripts.length > 25, `${scripts.length} scripts`);
  assert.deepEqual(scripts.flatMap(faultsOf), []);
});

test('house – npm run test:browser → names every file', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const named = scripts['test:browser'].split(' ').filter((word: string) => word.endsWith('.browser.ts'));
  assert.deepEqual(
    named,
    filesIn('test/browser').filter((path) => path.endsWith('.browser.ts')),
  );
});

/** The pages on which a reader begins. */
const ENTRIES = ['README.md', 'src/guide/README.md', 'test/lessons/README.md', 'test/lessons/teacher.md'];

for (const page of ENTRIES)
  test(`house – ${page} → names the shell of Windows, and curl as PowerShell calls it`, () =>
    assert.match(textOf(page), /On Windows, [^.]*Command Prompt\s\(`cmd`\)[^]{0,200}`curl\.exe`/));

/** The commands in the blocks of the pages and in the head comments of the steps. */
const commands = filesIn('')
  .filter((path) => [...ENTRIES, ...GUIDE, 'src/guide/trace.md'].includes(path) || path.startsWith('test/lessons/'))
  .flatMap((path) => {
    const text = textOf(path);
    if (path.endsWith('.ts')) return [...text.matchAll(/^ \* {5}((?:node|npm|curl) .+)$/gm)].map(([, line]) => line!);
    const blocks = [...text.matchAll(/^(?:<!-- (\w+) -->\n)?```sh\n([^]*?)^```/gm)];
    const lines = blocks.flatMap(([, mark, block]) =>
      mark === 'prints' ? [...block!.matchAll(/^\$ (.+)$/gm)].map(([, line]) => line!) : block!.trim().split('\n'),
    );
    const unmarked = [...text.matchAll(/^ *```\n([^]*?)^ *```$/gm)].flatMap(([, block]) => block!.trim().split(/\n */));
    const entered = unmarked.filter((line) => /^(?:npm|npx|curl|node) /.test(line));
    const inline = [...text.matchAll(/`((?:npm|curl|node) [^`\n]+)`/g)].map(([, line]) => line!);
    return [...lines, ...entered, ...inline];
  });

test('house – the commands of the README, the guide and the lessons → have the same words in cmd as here', () => {
  assert.ok(commands.length > 30, `${commands.length} commands`);
  assert.deepEqual(commands.flatMap(faultsOf), []);
  const quoted = commands.filter((command) => command.includes('"'));
  assert.ok(quoted.length > 5, `${quoted.length} commands`);
  assert.deepEqual(quoted.flatMap(wordsOnWindows), wordsHere(quoted.join(' ')));
});
