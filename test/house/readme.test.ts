/**
 * What the README and the guide of plugins show does what it says. A `ts` block behind `<!-- runs -->` runs. In a `sh`
 * block behind `<!-- prints -->` every line behind `$ ` prints the lines below it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { LOADER, withLibrary } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CORE } from './layout.ts';
import { blocksOf, pagePrograms } from './page-programs.ts';
import { filesIn, packed, ROOT, textOf } from './source-files.ts';

const readme = textOf('README.md');

/** The pages that comments cite, by number. */
const RULES = ['decisions', 'specification', 'routing-rules', 'description-rules'].map((name) => `test/${name}.md`);

/** A server that a block starts and does not close ends once it listens, and the process with it. */
const ENDING = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...given) {
    this.once('listening', () => this.close());
    return listen.apply(this, given);
  };
`)}`;

const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
const programs = pagePrograms();
for (const [at, program] of programs.entries())
  test(`house – program ${at + 1} of the pages, ${JSON.stringify(program.slice(0, 40))} → runs`, () => {
    const file = join(folder, `program-${at}.js`);
    writeFileSync(file, transformSync(withLibrary(program), { loader: 'ts' }).code);
    const ending = program.includes('close(') ? [] : ['--import', ENDING];
    const { status, stderr } = spawnSync(process.execPath, [...LOADER, ...ending, file], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });

test('embedding – the README → shows programs that embed the service', () =>
  assert.ok(blocksOf('README.md', 'runs', 'ts').length >= 2, `${programs.length} programs`));

for (const block of blocksOf('README.md', 'prints', 'sh'))
  for (const [, command, printed] of block.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n?)*)/gm))
    test(`house – ${command} → prints what the README says`, () => {
      const { stdout, stderr } = spawnSync(command!, { shell: true, cwd: ROOT, encoding: 'utf8', timeout: 20_000 });
      assert.equal(stdout.trimEnd(), printed!.trimEnd(), stderr);
    });

/** The scripts of the project and of the packages below `test/`. */
const SCRIPTS = new Set(
  filesIn('')
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .flatMap((path) => Object.keys(JSON.parse(textOf(path)).scripts ?? {})),
);

/** The relative links of a page: the linked path below the root, and the heading in it, if one is named. */
const linksIn = (page: string) =>
  [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, path, heading]) => ({
    path: path === '' ? page : join(dirname(page), path!),
    heading: heading!,
  }));

/** The headings of a page as links name them. */
const anchorsIn = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Files and folders that the README, the guide and the pages beside it name without a link. */
const namedIn = (page: string): string[] =>
  /^(?:README\.md|src\/.*)$/.test(page)
    ? [...textOf(page).matchAll(/[` ]((?:src|test|static)\/[\w./-]*\w)/g)].map(([, path]) => path!)
    : [];

test('house – what a page in the package links, or names for authors → in the package', () => {
  const files = packed();
  const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('static/swagger-ui/'));
  assert.ok(pages.length > 10, pages.join(', '));
  const missing = pages.flatMap((page) =>
    [...linksIn(page).map(({ path }) => path), ...namedIn(page)].flatMap((path) =>
      files.some((file) => file === path || file.startsWith(`${path}/`)) ? [] : [`${page}: ${path}`],
    ),
  );
  assert.deepEqual(missing, []);
});

test('house – the pages of what the sources cite → in the package, which has the comments of the sources', () => {
  const files = packed();
  for (const page of RULES) assert.ok(files.includes(page), page);
});

for (const page of filesIn('').filter((path) => path.endsWith('.md') && !path.startsWith('static/swagger-ui/')))
  test(`house – files, headings and scripts that ${page} names → are there`, () => {
    const text = textOf(page);
    for (const { path, heading } of linksIn(page)) {
      assert.ok(existsSync(join(ROOT, path)), `${path} is linked`);
      assert.ok(heading === '' || anchorsIn(path).includes(heading), `${path}#${heading} is linked`);
    }
    for (const [, script] of text.matchAll(/\bnpm run ([\w:-]+)/g))
      assert.ok(SCRIPTS.has(script!), `npm run ${script}`);
  });

test('house – the README → lists the rooms of the core, all of them, in their order', () => {
  const rooms = CORE.map((room) => room.replace('core/', '')).join(' → ');
  assert.ok(rooms.length > 0 && readme.includes(`\`${rooms}\``), rooms);
});
