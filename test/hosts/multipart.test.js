/** Runs the program of the guide that reads a form as a stream with the package `@fastify/busboy`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocksOf, printedBy, written } from '../house/page-programs.ts';

test('a form whose files are streamed, and one that ends too early → the guide prints what it says', async (t) => {
  const program = blocksOf('src/guide/uploads.md', 'ts').find(({ text }) => text.includes('@fastify/busboy'));
  const printed = [];
  t.mock.method(console, 'log', (value) => printed.push(String(value)));
  // Beside the packages, so that the program finds the one that it imports.
  await import(written(program, fileURLToPath(new URL('node_modules', import.meta.url))));
  assert.deepEqual(printed, printedBy(program));
});
