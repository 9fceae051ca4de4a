/**
 * The pages are correct: each program and command of the guide runs, links lead somewhere, and scripts exist. In a `sh`
 * block after `<!-- prints -->`, each command after `$ ` prints the lines below it; an ellipsis `…` there is any text.
 */
import assert from 'node:assert/strict';
import { exec, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LOADER, PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { blocksOf, GUIDE, OTHERS, printedBy, written } from './page-programs.ts';
import { filesIn, packed, ROOT, textOf } from './source-files.ts';

/** The pages that comments cite. */
const RULES = ['decisions', 'specification', 'routing-rules', 'description-rules'].map(
  (name) => `src/guide/${name}.md`,
);

/** Runs the programs of a page in one process. A form feed stands before the output of each. */
const RUNNER = `
  for (const program of process.argv.slice(1)) {
    console.log('\\f');
    console.error('\\f');
    try { await import(program); } catch (error) { console.error(error); }
  }
  process.exit();`;

/** The arguments for node, with paths that are valid in every folder. */
const anywhere = (args: readonly string[]): string[] =>
  args.map((word) => (word === 'tsx' ? import.meta.resolve('tsx') : word));

interface Output {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

for (const page of [...GUIDE, ...OTHERS])
  describe(`house – the programs of ${page}`, () => {
    const programs = blocksOf(page, 'ts', 'js').filter(({ notRun }) => notRun === undefined);
    const commands = GUIDE.includes(page) ? blocksOf(page, 'sh').filter(({ notRun }) => notRun === undefined) : [];
    const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
    const files = programs.map((program) => written(program, folder));
    let ran: Promise<Output> | undefined;
    const run = (): Promise<Output> =>
      new Promise((resolve) => {
        const args = [...LOADER, '--input-type=module', '--eval', RUNNER, '--', ...files];
        execFile(process.execPath, args, { cwd: ROOT, timeout: 30_000 }, (error, stdout, stderr) =>
          resolve({ error, stdout, stderr }),
        );
      });

    for (const [at, program] of programs.entries())
      test(`program ${program.number} → runs, and prints the lines in its comments`, async () => {
        ran ??= run();
        const { stdout, stderr } = await ran;
        assert.equal(stderr.split('\f\n')[at + 1], '');
        const shown = printedBy(program);
        if (shown.length > 0) assert.deepEqual(stdout.split('\f\n')[at + 1]?.split('\n').slice(0, -1), shown);
      });

    for (const command of commands.flatMap(({ text }) => text.trim().split('\n')))
      test(`${command} → ends without an error`, async () => {
        const program = [process.execPath, ...anywhere(PROGRAM)].map((word) => JSON.stringify(word)).join(' ');
        const line = command.replace(/^npx todo-item-service /, `${program} `);
        const { error, stderr } = await new Promise<Output>((resolve) => {
          exec(line, { cwd: folder, timeout: 20_000 }, (failed, stdout, text) =>
            resolve({ error: failed, stdout, stderr: text }),
          );
        });
        assert.equal(error, null, stderr);
      });
  });

test('house – the guide → has at most one block in ten that is not run', () => {
  const blocks = GUIDE.flatMap((page) => [...blocksOf(page, 'ts', 'js'), ...blocksOf(page, 'sh')]);
  const notRun = blocks.flatMap(({ page, notRun }) => (notRun === undefined ? [] : [`${page}: ${notRun}`]));
  assert.ok(notRun.length * 10 <= blocks.length, notRun.join('\n'));
});

test('embedding – the README → shows two programs, whose printed addresses answer', async (t) => {
  const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
  const programs = blocksOf('README.md', 'js');
  assert.equal(programs.length, 2);
  for (const program of programs) {
    const child = spawn(process.execPath, [...anywhere(LOADER), fileURLToPath(written(program, folder))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const [address] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal((await fetch(String(address).trim())).status, 200, String(address));
  }
});

/** Matches the printed lines, of which a page may leave out any text with an ellipsis. */
const linesShown = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trimEnd()
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll('…', '[^]*?')}$`,
  );

for (const [, block] of textOf('src/README.md').matchAll(/<!-- prints -->\s*```sh\n([^]*?)```/g))
  for (const [, command, printed] of block!.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n?)*)/gm))
    test(`house – ${command} → prints the lines that src/README.md shows`, () => {
      const { stdout, stderr } = spawnSync(command!, { shell: true, cwd: ROOT, encoding: 'utf8', timeout: 20_000 });
      assert.match(stdout.trimEnd(), linesShown(printed!), stderr);
    });

/** The scripts of the project and of the packages below `test/`. */
const SCRIPTS = new Set(
  filesIn('')
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .flatMap((path) => Object.keys(JSON.parse(textOf(path)).scripts ?? {})),
);

/** The relative links of a page: the path from the root, and the heading, which may be empty. */
const linksIn = (page: string, text = textOf(page)) =>
  [...text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, path, heading]) => ({
    path: path === '' ? page : join(dirname(page), path!),
    heading: heading!,
  }));

/** The anchors of the headings of a page. */
const anchorsIn = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Files and folders that the README and the pages below `src/` mention without a link. */
const namedIn = (page: string, text = textOf(page)): string[] =>
  /^(?:README\.md|src\/.*)$/.test(page)
    ? [...text.matchAll(/[` ]((?:src|test|static)\/[\w./-]*\w)/g)].map(([, path]) => path!)
    : [];

/** The paragraphs, list items and rows that do not say that they are about a clone. The first one speaks for its page. */
const aboutThePackage = (page: string): string[] =>
  textOf(page)
    .split(/\n(?=\s*\n|\s*- |\s*\d+\. |#|\|)/)
    .filter((piece, _at, pieces) => ![piece, pieces[1]].some((text) => /\bclone\b/.test(text ?? '')));

test('house – each file that a packed page links or mentions → is in the package, or in a clone', () => {
  const files = packed();
  const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('static/swagger-ui/'));
  assert.ok(pages.length > 10, pages.join(', '));
  const missing = pages.flatMap((page) =>
    aboutThePackage(page)
      .flatMap((piece) => [...linksIn(page, piece).map(({ path }) => path), ...namedIn(page, piece)])
      .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('house – each page that comments cite → is in the package', () => {
  const files = packed();
  for (const page of RULES) assert.ok(files.includes(page), page);
});

for (const page of filesIn('').filter((path) => path.endsWith('.md') && !path.startsWith('static/swagger-ui/')))
  test(`house – the files, headings and scripts that ${page} mentions → exist`, () => {
    const text = textOf(page);
    for (const { path, heading } of linksIn(page)) {
      assert.ok(existsSync(join(ROOT, path)), `${path} is linked`);
      assert.ok(heading === '' || anchorsIn(path).includes(heading), `${path}#${heading} is linked`);
    }
    for (const [, script] of text.matchAll(/\bnpm run ([\w:-]+)/g))
      assert.ok(SCRIPTS.has(script!), `npm run ${script}`);
  });
