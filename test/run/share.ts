/**
 * Runs several test files in this process, one after the other: `share.ts FILE…`.
 *
 * A separate test imports each file; it is not counted. It registers the import of the next file before the tests of
 * its file run, because Node ends the run as soon as no test is waiting.
 */
import { AsyncResource } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { logged } from '../support/logged.ts';
import { processorSeconds } from './processor-seconds.ts';
import { type Cost, END, IMPORT } from './report.ts';

// Without this resource, the tests of a file would be nested in the test that imports the file.
const topLevel = new AsyncResource('files');

/** Reports the processor time. The difference of two reports is the cost of the file between them. */
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
    // Removes the log lines of the previous file.
    logged.length = 0;
    try {
      await topLevel.runInAsyncScope(() => import(address));
    } finally {
      topLevel.runInAsyncScope(register, undefined, others);
    }
  });
}

// Only this process measures coverage. Each program that it starts would write a megabyte about the built program.
delete process.env['NODE_V8_COVERAGE'];
register(process.argv.slice(2));
