import assert from 'node:assert/strict';
import { test } from 'node:test';
import { securityScheme } from '../../../src/operations/security.ts';
import { swaggerScheme } from '../../../src/plugins/description/describe-swagger.ts';

const WRITTEN = 'Write the word Bearer, a space and the token: `Bearer abc123`';

for (const [description, text] of [
  [undefined, WRITTEN],
  ['The token of the *sign-in* page', `The token of the *sign-in* page\n\n${WRITTEN}`],
] as const)
  test(`D71 a bearer token in 2.0, described as ${description} → the text explains how to write it`, () => {
    const scheme = securityScheme('Bearer', { type: 'http', scheme: 'bearer', ...(description && { description }) });
    assert.deepEqual(swaggerScheme(scheme), { type: 'apiKey', in: 'header', name: 'Authorization', description: text });
  });

test('D71 basic in 2.0 → the type `basic`', () => {
  const basic = securityScheme('Basic', { type: 'http', scheme: 'basic', description: 'For people' });
  assert.deepEqual(swaggerScheme(basic), { type: 'basic', description: 'For people' });
});
