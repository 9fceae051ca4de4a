/** D37 – composing an application warns about patterns that can take long for a text from a client. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { form } from '../../../src/operations/uploads/upload.ts';
import { read } from '../../support/plain-routes.ts';

const slow = { type: 'string', pattern: '[a-z]+1' } as const;
const nested = { type: 'string', pattern: '^(a+)+$', maxLength: 50 } as const;
const unlimited = (place: string): string =>
  `The pattern "[a-z]+1" in the ${place} of the operation "APost" has no maxLength; ` +
  'give one, or use a custom format with a check';
const repeated = (place: string): string =>
  `The expression "(a+)+" of the ${place} of the operation "APost" repeats a repetition, so it can take for ever; ` +
  'limit the outer repetition, as in {0,4}, use a custom format with a check, or ask a checker such as recheck';

for (const [clause, declared, warnings] of [
  ['a body', { body: { type: 'object', properties: { a: { type: 'array', items: slow } } } }, [unlimited('body')]],
  ['a form', { body: form({ a: slow }) }, [unlimited('body')]],
  ['a query', { query: { a: slow } }, [unlimited('query')]],
  ['a list in a header', { headers: { a: { type: 'array', items: slow } } }, [unlimited('header')]],
  ['a maxLength', { query: { a: { ...slow, maxLength: 5_000 } } }, []],
  ['no repetition without a bound', { query: { a: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{1,9}$' } } }, []],
  ['a segment of the path', { path: 'a/{a}', parameters: { a: slow } }, []],
  ['a repetition in a repetition', { query: { a: nested } }, [repeated('query')]],
  ['a property named "pattern"', { body: { type: 'object', properties: { pattern: { type: 'string' } } } }, []],
] as const)
  test(`D37 a pattern, ${clause} → ${warnings.length === 0 ? 'no warning' : 'a warning with the remedy'}`, () => {
    const made = read('a', { id: 'APost', method: 'POST', ...declared });
    const lines: string[] = [];
    application([{ name: 'a', routes: [made] }], { warn: (line) => lines.push(line) });
    assert.deepEqual(lines, warnings);
  });
