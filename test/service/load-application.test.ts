/** Tests `explain FILE`: applications of users, and files without an application. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import { explain } from '../../src/service/explain.ts';
import { SettingsError } from '../../src/service/settings/settings.ts';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const APP = `application([{
  name: 'notes', start() { started += 1 }, stop() { started -= 1 },
  routes: routesOf({ name: 'Notes', path: 'notes', stages: [function keeps(context, next) { return next(context) }], operations: [
    operation({ method: 'POST', path: '', body: { type: 'object', properties: { title: { type: 'string' } } },
      responses: { 200: { schema: { type: 'string' } } }, handle: ({ body }) => ok(started + ' ' + body.title) }),
    operation({ method: 'GET', path: '{id:int}', responses: { 200: { schema: { type: 'string' } } },
      handle: ({ context }) => ok(String(context.headers['x-who'])) }),
  ] }),
}], { basePath: '/mine' })`;
const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;
const IMPORTED = `import { application, ok, operation, routesOf } from '${LIBRARY}'; let started = 0;`;
const RECEIVES = '({ application, ok, operation, routesOf }) =>';

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'body.json': '{"title":"of a file"}',
  'value.js': `${IMPORTED} export default ${APP};`,
  'function.js': `${IMPORTED} export default () => ${APP};`,
  'async.js': `${IMPORTED} export default async () => { await null; return ${APP} };`,
  'promise.js': `${IMPORTED} export default (async () => ${APP})();`,
  'app.js': `${IMPORTED} export const port = 1; export const app = ${APP};`,
  'application.js': `${IMPORTED} const made = ${APP}; export { made as application };`,
  'other-default.js': `${IMPORTED} export default { port: 8080 }; export const app = ${APP};`,
  'typed.ts': `${IMPORTED} const made: object = ${APP}; export default made;`,
  'receives.js': `let started = 0; export default ${RECEIVES} ${APP};`,
  'common.cjs': `let started = 0; module.exports = ${RECEIVES} ${APP};`,
  'common-app.cjs': `let started = 0; exports.app = ${RECEIVES} ${APP};`,
  'timed.js': `let started = 0; setInterval(() => {}, 1000); export default ${RECEIVES} ${APP};`,
  'none.js': 'export const port = 8080;',
  'plugin.js': "export default { name: 'plugin' };",
  'nothing.js': 'export default () => {};',
  'throws.js': "throw new Error('no database'); export default 1;",
  'rejects.js': "export default async () => { throw new Error('no database') };",
});
// A program that imports the installed package, so another copy of the library.
buildSync({
  ...ESBUILD_OPTIONS,
  stdin: { contents: `${IMPORTED.replace('file://', '')} export default ${APP};`, resolveDir: folder },
  outfile: join(folder, 'copy.js'),
  format: 'esm',
});

for (const file of [
  ...['value.js', 'function.js', 'async.js', 'promise.js', 'app.js', 'application.js', 'other-default.js'],
  'typed.ts',
  ...['receives.js', 'copy.js'],
  ...['common.cjs', 'common-app.cjs'],
])
  test(`explain – the application of ${file} → each station, started once`, async () => {
    const text = await explain([join(folder, file), 'POST', '/mine/notes', '-d', `@${join(folder, 'body.json')}`], {});
    const stations = [...text.matchAll(/^ *[→·] (.*?)(?: {2}.*)?$/gm)].map(([, label]) => label!);
    assert.deepEqual(stations, [
      ...['parser', 'problems', 'routing', 'index', 'route POST /notes'],
      ...['notes: keeps', 'input', 'handler NotesPost', 'reply', 'write'],
    ]);
    assert.match(text, /· handler NotesPost +answered 200, synchronous/);
    assert.match(text, /\n200 application\/json/);
  });

test('explain – an application → gets the body and the header of the arguments, and makes its link', async () => {
  const file = join(folder, 'value.js');
  const json = async (...args: readonly string[]) => JSON.parse(await explain([file, ...args, '--json'], {}));
  assert.equal((await json('POST', '/mine/notes', '-d', '{"title":"x"}')).recording.body.text, '{"title":"x"}');
  const got = await json('GET', '/mine/notes/1', '-H', 'X-Who: Ada');
  assert.equal(got.recording.stations[0].reply.body.text, '"Ada"');
  assert.equal((await json('--link', 'NotesByIdGet', 'id=5')).link, '/mine/notes/5');
});

const REMEDY = 'export default application([…]), or a function that returns it';
/** A file and the error. */
for (const [name, says] of [
  ['none.js', `it does not export an application; ${REMEDY}`],
  ['nothing.js', `it does not export an application; ${REMEDY}`],
  ['plugin.js', `it does not export an application; ${REMEDY}`],
  ['throws.js', 'it fails with "no database"; correct the file'],
  ['rejects.js', 'it fails with "no database"; correct the file'],
  ['nowhere.js', 'the file does not exist; name another'],
] as const)
  test(`explain – the file ${name} → refused with the remedy`, async () => {
    const file = join(folder, name);
    await assert.rejects(explain([file, 'GET', '/'], {}), new SettingsError(`Cannot explain "${file}": ${says}`));
  });

test('explain – an application with a flag of the service → refused', async () => {
  const file = join(folder, 'value.js');
  for (const [flag, ...surplus] of [
    ['--plugin', '--plugin', 'x.js'],
    ['--store', '--store=redis://u:s3cret@h'],
  ] as const)
    await assert.rejects(
      explain([file, 'GET', '/', ...surplus], {}),
      new SettingsError(`Cannot use ${flag} with "${file}": this flag is only for the service; leave it out`),
    );
});

const FOREVER = '() => new Promise(() => {})';
const stuck = temporaryFolder({
  'package.json': '{"type":"module"}',
  'await.js': `await (${FOREVER})(); export default 1;`,
  'function.js': `export default ${FOREVER};`,
  'start.js': `export default ({ application }) => application([{ name: 'waits', start: ${FOREVER} }]);`,
  'stop.js': `export default ({ application }) => application([{ name: 'waits', stop: ${FOREVER} }]);`,
  'handler.js': `export default ({ application, route }) => application([{ name: 'a', routes: [route({ path: '', handle: ${FOREVER} })] }]);`,
});
const STUCK =
  /^Cannot start: a file or a plugin waits for a promise that never settles; correct the file or the start\n$/;
for (const [name, code, said] of [
  ['await.js', 2, STUCK],
  ['function.js', 2, STUCK],
  ['start.js', 2, STUCK],
  ['stop.js', 0, /Cannot wait longer for the plugin \\"waits\\": a stop may not take more time/],
  ['handler.js', 0, /^$/],
] as const)
  test(`explain – ${name}, a promise never settles → an error or the reply, exit code ${code}`, () => {
    const { status, stdout, stderr } = runProgram('explain', join(stuck, name), 'GET', '/');
    assert.match(stderr, said);
    assert.equal(status, code);
    if (code === 0) assert.match(stdout, name === 'handler.js' ? /no answer: not complete within 5 s\n$/ : /404/);
  });

test('explain – a file with a timer → the process ends', () => {
  const { status, stdout, stderr } = runProgram('explain', join(folder, 'timed.js'), 'GET', '/mine/notes/1');
  assert.match(stdout, /^200 application\/json/m, stderr);
  assert.equal(status, 0);
});
