/** Tests that a package can export the results of the library's functions: each of their types can be imported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { filesIn, ROOT, textOf } from '../house/source-files.ts';
import { COMPILER, writeDeclarations } from '../release/declarations.ts';
import { entries } from '../release/entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exportedNames } from './exported-names.ts';

const OWN = 'todo-item-service';
const PROGRAM = textOf('test/surface/embedding-program.ts');

/** Exports a result of each function and the members of each class that the program does not name. Never runs. */
async function furtherResults(): Promise<string> {
  const lines = exportedNames().map(async ({ name, specifier, isType }) => {
    if (isType || new RegExp(`\\b${name}\\b`).test(PROGRAM)) return '';
    const { source } = entries().find((entry) => entry.specifier === specifier)!;
    const value: unknown = (await import(pathToFileURL(join(ROOT, source)).href))[name];
    const isClass = /^class\b/.test(String(value));
    const result = isClass
      ? `{ ...(undefined! as InstanceType<typeof ${name}>) }`
      : `${name}(...(undefined! as Parameters<typeof ${name}>))`;
    const imported = `import { ${name} } from '${specifier}';`;
    return `${imported}\nexport const of_${name} = ${typeof value === 'function' ? result : name};\n`;
  });
  return (await Promise.all(lines)).join('');
}

test('surface – a package that exports a result of each function → its declarations name only the library', async () => {
  const compilerOptions = {
    outDir: 'dist',
    rootDir: '.',
    emitDeclarationOnly: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const folder = temporaryFolder({
    [`node_modules/${OWN}/package.json`]: textOf('package.json'),
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    'program.ts': entries().reduce(
      (text, { specifier, source }) => text.replace(`'../../${source}'`, `'${specifier}'`),
      PROGRAM,
    ),
    'further.ts': await furtherResults(),
  });
  writeDeclarations(
    entries().map(({ source }) => source),
    join(folder, 'node_modules', OWN, 'dist/library'),
  );
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, '');
  const emitted = ['program', 'further']
    .map((name) => readFileSync(join(folder, `dist/${name}.d.ts`), 'utf8'))
    .join('');
  const sources = [...emitted.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, source]) => source!);
  const specifiers = entries().map(({ specifier }) => specifier);
  assert.ok(sources.includes(OWN));
  assert.deepEqual(
    sources.filter((source) => !specifiers.includes(source) && !isBuiltin(source)),
    [],
  );
});

test('surface – the lending application → imports only from entries of the package', () => {
  const sources = entries().map(({ source }) => `../../${source}`);
  // `started.ts` is a helper of the tests.
  const files = filesIn('test/lending').filter((file) => /(?<!\.test|started)\.ts$/.test(file));
  const imported = files.flatMap((file) =>
    [...textOf(file).matchAll(/ from '(\.\.\/[^']+)'/g)].map(([, path]) => [file, path!]),
  );
  assert.ok(imported.length > files.length);
  assert.deepEqual(
    imported.filter(([, path]) => !sources.includes(path!)),
    [],
  );
});
