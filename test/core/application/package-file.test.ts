/** Tests the locations of the files of the package, and the error in a program that is bundled without them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'esbuild';
import { packageFile } from '../../../src/core/application/package-file.ts';
import { ROOT } from '../../house/source-files.ts';

test('package – a file of the package → its URL', () =>
  assert.ok(existsSync(packageFile('package.json', 'leave it out'))));

test('package – a program that is bundled into CommonJS → loads; only swaggerPage throws, with the remedy', async () => {
  const contents = `import { swaggerPage } from './src/plugins/swagger-page/swagger-page.ts';
    import { todo } from './src/plugins/todo/todo.ts';
    try { swaggerPage(); } catch ({ message }) { module.exports = [todo().name, message]; }`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const module = { exports: [] as string[] };
  const { createRequire } = await import('node:module');
  new Function('require', 'module', outputFiles[0]!.text)(createRequire(import.meta.url), module);
  const [name, message] = module.exports;
  assert.equal(name, 'todo');
  assert.match(
    message!,
    /^Cannot find "static\/swagger-ui" of todo-item-service: .*give swaggerPage\(\{ vendored: page/,
  );
});
