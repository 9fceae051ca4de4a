/**
 * Writes what `run.ts` counts, a line of JSON for each test that has ended. It is JavaScript because Node loads a
 * reporter before `--import tsx` has its effect.
 */
import { inspect } from 'node:util';

export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic' && data.message.startsWith('{')) yield `${data.message}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, nesting, skip, todo, details } = data;
    const ending = { name, nesting, milliseconds: details.duration_ms };
    if (details.type === 'suite') ending.suite = true;
    if (skip !== undefined || todo !== undefined) ending.skipped = String(skip ?? todo);
    else if (type === 'test:fail' && !(ending.suite && details.error.failureType === 'subtestsFailed')) {
      // A suite whose tests have failed says no more than they do.
      ending.error = inspect(details.error.cause ?? details.error);
    }
    yield `${JSON.stringify(ending)}\n`;
  }
}
