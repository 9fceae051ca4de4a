/**
 * Runs several test files in this process, one after the other: `share.ts FILE…`.
 *
 * Each file is imported by a test of its own, which is not counted. The next such test is registered before the file's
 * tests run: Node takes a moment in which no test waits for the end of them all.
 */
import { AsyncResource } from 'node:async_hooks';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { logged } from '../support/logged.ts';
import { END, IMPORT } from './report.ts';

// Outside of it, what a file registers would be part of the test that imports it.
const topLevel = new AsyncResource('files');

function register([file, ...others]: readonly string[]): void {
  if (file === undefined) {
    test(END, () => {});
    return;
  }
  const address = pathToFileURL(file).href;
  test(IMPORT + file, async () => {
    // What the file before has left is not said by this one.
    logged.length = 0;
    try {
      await topLevel.runInAsyncScope(() => import(address));
    } finally {
      topLevel.runInAsyncScope(register, undefined, others);
    }
  });
}

register(process.argv.slice(2));
