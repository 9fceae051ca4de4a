/**
 * Runs several test files in this process, one after the other: `share.ts FILE…`.
 *
 * Each file is imported by a test of its own, which is not counted. The next such test is registered before the file's
 * tests run: Node takes a moment in which no test waits for the end of them all.
 */
import { AsyncResource } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { logged } from '../support/logged.ts';
import { processorSeconds } from './processor-seconds.ts';
import { type Cost, END, IMPORT } from './report.ts';

// Outside of it, what a file registers would be part of the test that imports it.
const topLevel = new AsyncResource('files');

/** What the file before has cost is the difference of two such lines. */
function diagnose(context: TestContext): void {
  context.diagnostic(JSON.stringify({ processor: processorSeconds() } satisfies Cost));
}

function register([file, ...others]: readonly string[]): void {
  if (file === undefined) {
    test(END, diagnose);
    return;
  }
  const address = pathToFileURL(file).href;
  test(IMPORT + file, async (context) => {
    diagnose(context);
    // What the file before has left is not said by this one.
    logged.length = 0;
    try {
      await topLevel.runInAsyncScope(() => import(address));
    } finally {
      topLevel.runInAsyncScope(register, undefined, others);
    }
  });
}

// Coverage is that of this process: what it starts would write a megabyte each time, of a program that is built.
delete process.env['NODE_V8_COVERAGE'];
register(process.argv.slice(2));
