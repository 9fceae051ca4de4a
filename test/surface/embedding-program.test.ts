/** A package on top of the library can export what the makers return: every type in it can be imported by its name. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { COMPILER, writeDeclarations } from '../release/declarations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OWN = 'todo-item-service';

test('surface – a package that exports values of each maker → its declarations name the library alone', () => {
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
    'program.ts': textOf('test/surface/embedding-program.ts').replace('../../src/index.ts', OWN),
  });
  writeDeclarations(['index'], join(folder, 'node_modules', OWN, 'dist/library'));
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, '');
  const emitted = readFileSync(join(folder, 'dist/program.d.ts'), 'utf8');
  const sources = [...emitted.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, source]) => source!);
  assert.ok(sources.includes(OWN));
  assert.deepEqual(
    sources.filter((source) => source !== OWN && !isBuiltin(source)),
    [],
  );
});
