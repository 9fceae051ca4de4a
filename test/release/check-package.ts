/** Checks the tarball and uses it as another project does: it is installed offline, imported, compiled and bundled. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { pagePrograms } from '../house/page-programs.ts';
import { ROOT } from './build-facts.ts';
import { COMPILER } from './declarations.ts';
import { assertAnswers } from './running-program.ts';
import type { Runtime } from './runtimes.ts';

/** Throws if publint or "Are the types wrong?" finds an error in the tarball. */
export function assertWellPacked(tarball: string): void {
  const run = (name: string, ...options: readonly string[]): void => {
    const program = join(ROOT, 'test/release/node_modules/.bin', name);
    const { status, stdout } = spawnSync(program, [...options, tarball], { encoding: 'utf8' });
    assert.equal(status, 0, `${name}: ${stdout}`);
  };
  run('publint', '--strict');
  // Node can require ES modules, so the package has only one form of the library (D88).
  run('attw', '--profile', 'esm-only', '--no-emoji');
}

/** Creates an empty project and installs the package with the npm of the tests on this Node, without a network. */
export function install(tarball: string, { name, command: [node] }: Runtime, work: string): string {
  const project = join(work, name.replaceAll(' ', '-'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const npm = process.env['npm_execpath'];
  assert.ok(npm, 'run this by npm, whose own path it needs');
  const options = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball];
  execFileSync(node!, [npm, ...options], { cwd: project, stdio: 'pipe' });
  return project;
}

const IMPORTING = `import { application } from 'todo-item-service';
import { page } from 'todo-item-service/page';
import { todo } from 'todo-item-service/todo';
const { status } = await application([todo()]).request('/api/todo');
console.log(status, typeof page.files);
`;
const REQUIRING = `const { application } = require('todo-item-service');
const { todo } = require('todo-item-service/todo');
const { version } = require('todo-item-service/package.json');
application([todo()]).request('/api/todo').then(({ status }) => console.log(status, typeof version));
`;

/** Throws unless the library can be imported and required in the project. */
export function assertImported(project: string, [program = '', ...options]: readonly string[]): void {
  const run = (file: string, text: string): string => {
    writeFileSync(join(project, file), text);
    return execFileSync(program, [...options, file], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  assert.equal(run('importing.mjs', IMPORTING), '200 object\n');
  assert.equal(run('requiring.cjs', REQUIRING), '200 string\n');
}

const RESOLUTIONS = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext' };

/** Throws unless each example compiles with every kind of module resolution. Returns the number of examples. */
export function assertExamplesCompile(project: string): number {
  const texts = pagePrograms();
  for (const [at, text] of texts.entries()) writeFileSync(join(project, `example-${at}.ts`), `${text}\nexport {};\n`);
  for (const [moduleResolution, module] of Object.entries(RESOLUTIONS)) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2023',
      strict: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['example-*.ts'] }));
    const { status, stdout } = spawnSync(process.execPath, [COMPILER], { cwd: project, encoding: 'utf8' });
    assert.equal(status, 0, `${moduleResolution}: ${stdout}`);
  }
  return texts.length;
}

const DECLARING = `import { noContent, operation, schema } from 'todo-item-service';
export const Note = schema('Note', { type: 'object' });
export const keep = operation({ method: 'PUT', path: '', body: Note, responses: { 204: {} }, handle: () => noContent() });
`;

/** Throws unless a program that imports only the main entry can export a schema and an operation with declarations. */
export function assertDeclares(project: string): void {
  writeFileSync(join(project, 'declaring.ts'), DECLARING);
  const options = '--ignoreConfig --strict --module nodenext --target es2023 --declaration --emitDeclarationOnly';
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const args = [COMPILER, ...options.split(' '), ...types, 'declaring.ts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

const BUNDLED = `import { application } from 'todo-item-service';
import { description } from 'todo-item-service/description';
import { HttpService } from 'todo-item-service/extending';
import { page } from 'todo-item-service/page';
import { swaggerPage } from 'todo-item-service/swagger-page';
import { todo } from 'todo-item-service/todo';
const app = application([swaggerPage({ vendored: page }), todo(), description({ title: 'Bundled', version: 'v1' })]);
const service = new HttpService(app);
app.start().then(async () => {
  const { port } = await service.listen(0);
  console.log('http://127.0.0.1:' + port + '/api/todo Page');
  process.on('SIGTERM', () => service.close().then(() => process.exit(0)));
});
`;

/** Throws unless a program that is bundled into one file serves the page without the package. */
export async function assertBundled(project: string, work: string): Promise<void> {
  writeFileSync(join(project, 'bundled.js'), BUNDLED);
  for (const [format, extension] of [
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ] as const) {
    const outfile = join(work, `bundled-${format}`, `program.${extension}`);
    await build({
      entryPoints: [join(project, 'bundled.js')],
      bundle: true,
      platform: 'node',
      format,
      outfile,
      logLevel: 'error',
    });
    assert.ok(!dirname(outfile).startsWith(project));
    await assertAnswers([process.execPath, outfile]);
  }
}
