/** What the compiler says of a mistake: its reason, and the remedy where one is known, in a few lines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';
import { compiled } from './compiled.ts';

const ITEM = `{ type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } }`;
const answering = (schema: string, answer: string) =>
  `operation({ method: 'GET', path: '', responses: { 200: { schema: ${schema} } }, handle: () => ${answer} });`;

const CASES: readonly (readonly [mistake: string, program: string, says: RegExp, lines: number])[] = [
  [
    'a keyword in another case',
    `schema('Bad', { type: 'string', maxlength: 5 });`,
    /Refused<"maxlength means nothing here; did you mean maxLength\?"/,
    2,
  ],
  [
    'a misspelt keyword in a body',
    `operation({ method: 'POST', path: '', body: { type: 'object', properties: { a: { type: 'string', patern: '' } } }, responses: { 204: {} }, handle: () => noContent() });`,
    /Refused<"patern means nothing here; use one of", .*"pattern"/,
    2,
  ],
  [
    'a format that nobody speaks',
    `schema('Bad', { type: 'string', format: 'iban' });`,
    /ownFormat\(…\) of todo-item-service\/schemas makes one/,
    2,
  ],
  ['a default of another type', `schema('Bad', { type: 'integer', default: '' });`, /The default does not fit/, 2],
  [
    'a name in required that is no property',
    `schema('Bad', { type: 'object', required: ['nmae'], properties: { name: { type: 'string' } } });`,
    /Type '\["nmae"\]' is not assignable to type .*"name"\[\]/,
    3,
  ],
  [
    'a member too many',
    answering(ITEM, `ok({ id: 1, colour: 'red' })`),
    /Type '"\.colour"' is not assignable to type '"\.id" \| "\.name" \| "{}"'/,
    5,
  ],
  [
    'a member too many in an item of a list',
    answering(`{ type: 'array', items: ${ITEM} }`, `ok([{ id: 1, name: 'a', colour: 'red' }])`),
    /Type '"\[\]\.colour"' is not assignable to type '.*"\[\]" \| "\[\]\.id" \| "\[\]\.name" \| "\[\]{}"'/,
    5,
  ],
  [
    'a member of another type',
    answering(ITEM, `ok({ id: '1' })`),
    /Types of property 'id' are incompatible\.\s+Type 'string' is not assignable to type 'number'/,
    7,
  ],
  [
    'a misspelt role',
    `const staff = bearerTokens({ a: { identity: 'Ada' } }, { roles: ['reader', 'keeper'] });
operation({
  method: 'GET', path: '', security: [{ scheme: staff, roles: ['keepr'] }],
  responses: { 204: {} }, handle: () => noContent(),
});`,
    /Type '"keepr"' is not assignable to type '"keeper" \| "reader"'\. Did you mean '"keeper"'\?/,
    3,
  ],
  [
    'a status that is not declared',
    answering(ITEM, `notFound('none')`),
    /Type '404' is not assignable to type '200'/,
    3,
  ],
];

const { stdout } = compiled(
  Object.fromEntries(
    CASES.map(([, program], at) => [
      `case-${at}.ts`,
      `import { noContent, notFound, ok, operation, schema } from '${join(ROOT, 'src/index.ts')}';\nimport { bearerTokens } from '${join(ROOT, 'src/extensions/authentication/authentication.ts')}';\nvoid bearerTokens;\n${program}`,
    ]),
  ),
);
const errors = stdout.split(/^(?=\S)/m);

for (const [at, [mistake, , says, lines]] of CASES.entries()) {
  test(`surface – ${mistake} → one error that says it, in at most ${lines} lines`, () => {
    const [error = '', ...more] = errors.filter((one) => one.startsWith(`case-${at}.ts(`));
    assert.match(error, says);
    assert.deepEqual(more, []);
    assert.ok(error.trimEnd().split('\n').length <= lines, error);
  });
}
