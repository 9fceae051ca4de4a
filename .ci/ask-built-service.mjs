/**
 * Starts the built service as a user does, sends it a few requests, and stops it as a supervisor does.
 *
 * The tests run the source. This script finds the errors that only a build can have: an import that was not rewritten,
 * a page that is read from the wrong folder, a library that cannot be imported by a program or by a plugin file, and a
 * process that does not exit on SIGTERM.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'built-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const environment = { ...process.env, PORT: '0', HOST: '127.0.0.1', TODO_PLUGIN: pluginFiles().join(',') };
const service = spawn(process.execPath, ['dist/main.js'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(service, 'exit');
const base = await Promise.race([
  listening(),
  ended.then(([code]) => {
    throw new Error(`The service exited with code ${code} before it listened`);
  }),
]);

try {
  await asked('GET', '/api/todo', 200, (items) => assert.equal(JSON.parse(items).length, 1));
  const location = await asked('POST', '/api/todo', 201, undefined, JSON.stringify({ name: 'built' }));
  await asked('GET', location, 200, (item) => assert.equal(JSON.parse(item).name, 'built'));
  await asked('GET', '/api/todo/nothing', 404, (problem) => assert.equal(JSON.parse(problem).status, 404));
  await asked('GET', '/swagger/v1/swagger.json', 200, (document) => assert.equal(JSON.parse(document).swagger, '2.0'));
  await asked('GET', '/swagger/ui', 200, (page) => assert.match(page, /swagger-ui-bundle\.js/));
  await asked('GET', '/swagger/ui/swagger-ui-bundle.js', 200, (bundle) => assert.ok(bundle.length > 1e6));
  for (const name of ['received', 'required', 'imported'])
    await asked('GET', `/${name}`, 418, (problem) => assert.equal(JSON.parse(problem).detail, name));
  const health = spawn(process.execPath, ['dist/main.js', '--health', '--port', new URL(base).port], {
    stdio: 'inherit',
  });
  assert.deepEqual(await once(health, 'exit'), [0, null]);
  const { application, route, text } = await import('todo-item-service');
  const app = application([{ name: 'built', routes: [route({ path: '', handle: () => text('built') })] }]);
  assert.equal(await (await app.request('/')).text(), 'built', 'The library');
} finally {
  service.kill('SIGTERM');
}
const late = setTimeout(() => service.kill('SIGKILL'), 10_000);
assert.deepEqual(await ended, [0, null], 'The service must exit with code 0 on SIGTERM');
clearTimeout(late);
console.log('The built service answers requests and exits with code 0');

/** Writes plugin files outside of the package. One of them imports a second copy of the library. */
function pluginFiles() {
  const plugin = (name) =>
    `{ name: '${name}', routes: [route({ path: '${name}', handle() { throw new HttpProblem(418, '${name}'); } })] }`;
  const files = {
    'received.mjs': `export default ({ HttpProblem, route }) => (${plugin('received')});`,
    'required.cjs': `module.exports = ({ HttpProblem, route }) => (${plugin('required')});`,
    'imported.mjs': `import { HttpProblem, route } from 'todo-item-service'; export default ${plugin('imported')};`,
  };
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(process.cwd(), join(folder, 'node_modules/todo-item-service'));
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}

/** Resolves with the address that the service prints first. */
function listening() {
  let printed = '';
  return new Promise((resolve) => {
    service.stdout.on('data', (chunk) => {
      printed += chunk;
      const [, address] = /(http:\/\/\S+)\/api\/todo/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function asked(method, path, status, check = () => {}, body = undefined) {
  const reply = await fetch(base + path, {
    method,
    body,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
  });
  const text = await reply.text();
  assert.equal(reply.status, status, `${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
  check(text);
  return reply.headers.get('location');
}
