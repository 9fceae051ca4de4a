/** What the compiler says of a mistake: its reason, and the remedy where one is known, in a few lines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';
import { compiled } from './compiled.ts';

const ITEM = `{ type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } }`;
const answering = (schema: string, answer: string) =>
  `operation({ method: 'GET', path: '', responses: { 200: { schema: ${schema} } }, handle: () => ${answer} });`;

const read = `operation({ method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => noContent() })`;
const declaring = (members: string) =>
  `operation({ method: 'POST', path: '{id}', ${members}, responses: { 204: {} }, handle: () => noContent() });`;
const handling = (declared: string, input: string, statement: string) =>
  `operation({ method: 'GET', path: '{id}', ${declared} responses: { 204: {} }, handle: ({ ${input} }) => { ${statement}; return noContent(); } });`;

const CASES: readonly (readonly [mistake: string, program: string, says: RegExp, lines: number])[] = [
  ['an unknown type of a schema', `schema('Bad', { type: 'strin' });`, /Did you mean '"string"'\?/, 1],
  ['an unknown type of a body', declaring(`body: { type: 'strin' }`), /Did you mean '"string"'\?/, 3],
  [
    'a keyword of another type',
    `schema('Bad', { type: 'string', minimum: 5 });`,
    /not assignable to parameter of type 'Schema'\.\s+Types of property 'minimum' are incompatible/,
    3,
  ],
  [
    'a keyword of another type in a parameter',
    declaring(`query: { a: { type: 'string', minimum: 5 } }`),
    /not assignable to type 'ParameterDeclaration'\.\s+Types of property 'minimum' are incompatible/,
    3,
  ],
  ['a format that nobody speaks', `schema('Bad', { type: 'string', format: 'iban' });`, /"uri" \| .*OwnFormatName/, 1],
  ['a default of another type', `schema('Bad', { type: 'integer', default: '' });`, /'default' are incompatible/, 3],
  [
    'a parameter that the path does not have',
    declaring(`parameters: { key: 'Its key' }`),
    /Refused<"the path has no such parameter">/,
    2,
  ],
  [
    'a value of the path under another name',
    handling('', 'values', 'void values.key'),
    /Property 'key' does not exist on type 'Values<"id", false>'/,
    1,
  ],
  [
    'a parameter of the query among those of the path',
    handling(`query: { page: { type: 'integer' } },`, 'parameters', 'void parameters.page'),
    /Property 'page' does not exist on type 'PathValues<"\{id\}"/,
    1,
  ],
  ['a member that the body does not have', handling(`body: ${ITEM},`, 'body', 'void body.nmae'), /'nmae' does not/, 1],
  [
    'a link without the values of the path',
    `const read = ${read};\noperation({ method: 'GET', path: '', responses: { 204: {} }, handle: ({ link }) => { link(read); return noContent(); } });`,
    /not assignable to parameter of type '"Give an operation, and the values of its path and query: link\(read, \{ id \}\)"'/,
    3,
  ],
  [
    'a link with a value under another name',
    `const read = ${read};\noperation({ method: 'GET', path: '', responses: { 204: {} }, handle: ({ link }) => { link(read, { key: 1 }); return noContent(); } });`,
    /not assignable to parameter of type '"Give an operation, and the values of its path and query/,
    3,
  ],
  ['a handler that returns a value', answering(ITEM, `({ id: 1 })`), /is not assignable to type 'Promise<Reply<200/, 1],
  ['a handler that returns nothing', answering(ITEM, 'undefined'), /'undefined' is not assignable to type 'Promise/, 1],
  [
    'a status that is not declared',
    answering(ITEM, `notFound('none')`),
    /Type '404' is not assignable to type '200'/,
    3,
  ],
  [
    'a body of an error',
    `operation({ method: 'GET', path: '', responses: { 204: {}, 404: { schema: { type: 'string' } } }, handle: () => noContent() });`,
    /Type '\{ type: string; \}' is not assignable to type 'undefined'/,
    1,
  ],
  [
    'a member too many',
    answering(ITEM, `ok({ id: 1, colour: 'red' })`),
    /Type '"\.colour"' is not assignable to type '"\.id" \| "\.name" \| "{}"'/,
    4,
  ],
  [
    'a member too many in an item of a list',
    answering(`{ type: 'array', items: ${ITEM} }`, `ok([{ id: 1, name: 'a', colour: 'red' }])`),
    /Type '"\[\]\.colour"' is not assignable to type '.*"\[\]" \| "\[\]\.id" \| "\[\]\.name" \| "\[\]{}"'/,
    4,
  ],
  [
    'a member that is missing',
    answering(ITEM, `ok({ name: 'a' })`),
    /Property 'id' is missing in type '\{ readonly name: "a"; \}'/,
    4,
  ],
  [
    'a member of another type',
    answering(ITEM, `ok({ id: '1' })`),
    /Types of property 'id' are incompatible\.\s+Type 'string' is not assignable to type 'number'/,
    6,
  ],
];

const { stdout } = compiled(
  Object.fromEntries(
    CASES.map(([, program], at) => [
      `case-${at}.ts`,
      `import { noContent, notFound, ok, operation, schema } from '${join(ROOT, 'src/index.ts')}';\n${program}`,
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
