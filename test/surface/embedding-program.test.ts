/** Tests that a package can export the results of the library's functions: each of their types can be imported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { COMPILER, writeDeclarations } from '../release/declarations.ts';
import { entries } from '../release/entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OWN = 'todo-item-service';

test('surface – a package that exports a result of each function → its declarations name only the library', () => {
  const compilerOptions = {
    outDir: 'dist',
    rootDir: '.',
    emitDeclarationOnly: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const folder = temporaryFolder({
    [`node_modules/${OWN}/package.json`]: textOf('package.json'),
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['program.ts'] }),
    'program.ts': entries().reduce(
      (text, { specifier, source }) => text.replace(`'../../${source}'`, `'${specifier}'`),
      textOf('test/surface/embedding-program.ts'),
    ),
  });
  writeDeclarations(
    entries().map(({ source }) => source),
    join(folder, 'node_modules', OWN, 'dist/library'),
  );
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, '');
  const emitted = readFileSync(join(folder, 'dist/program.d.ts'), 'utf8');
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
  for (const file of ['application.ts', 'device-store.ts']) {
    const imported = [...textOf(`test/lending/${file}`).matchAll(/ from '(\.\.\/[^']+)'/g)].map(([, path]) => path!);
    assert.ok(imported.length > 0);
    assert.deepEqual(
      imported.filter((path) => !sources.includes(path)),
      [],
      file,
    );
  }
});
