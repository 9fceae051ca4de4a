/**
 * Writes a line of JSON for each completed test; `run.ts` counts them. This file is JavaScript because Node loads a
 * reporter before `--import tsx` takes effect.
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
      // If tests of a suite fail, the error of the suite adds no information.
      ending.error = inspect(details.error.cause ?? details.error);
    }
    yield `${JSON.stringify(ending)}\n`;
  }
}
