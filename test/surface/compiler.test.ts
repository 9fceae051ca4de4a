/**
 * Compiles programs against the sources, all at once. A mistake causes a short error with its reason and, if known, its
 * remedy. Every public option accepts undefined. The examples in docstrings compile with the exported names only.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { COMPILER } from '../release/declarations.ts';
import { entries } from '../release/entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { docstringOf, examplesIn } from './docstrings.ts';
import { exportedNames } from './exported-names.ts';

const ITEM = `{ type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } }`;
const answering = (schema: string, answer: string) =>
  `operation({ method: 'GET', path: '', responses: { 200: { schema: ${schema} } }, handle: () => ${answer} });`;

const linking = (statement: string) => `
  const read = operation({ method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => noContent() });
  operation({ method: 'GET', path: '', responses: { 204: {} }, handle: ({ link }) => { ${statement}; return noContent(); } });`;
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
    'a role that the scheme does not declare',
    declaring(`security: [{ scheme: bearerTokens({}, { roles: ['reader', 'keeper'] }), roles: ['reader', 'keepr'] }]`),
    /is not assignable to type '"the scheme does not declare the role \\"keepr\\""'/,
    2,
  ],
  [
    'a path parameter with another name',
    handling('', 'values', 'void values.key'),
    /Property 'key' does not exist on type 'Values<"id", false>'/,
    1,
  ],
  [
    'a query parameter among the path parameters',
    handling(`query: { page: { type: 'integer' } },`, 'parameters', 'void parameters.page'),
    /Property 'page' does not exist on type 'PathValues<"\{id\}"/,
    1,
  ],
  ['a member that the body does not have', handling(`body: ${ITEM},`, 'body', 'void body.nmae'), /'nmae' does not/, 1],
  [
    'a link without the values of the path',
    linking('link(read)'),
    /not assignable to parameter of type '"Give an operation, and the values of its path and query: link\(read, \{ id \}\)"'/,
    3,
  ],
  [
    'a link with a value under another name',
    linking('link(read, { key: 1 })'),
    /not assignable to parameter of type '"Give an operation, and the values of its path and query/,
    3,
  ],
  [
    'a handler that returns a value',
    answering(ITEM, `({ id: 1 })`),
    /is not assignable to type 'Promise<Result<200/,
    1,
  ],
  ['a handler that returns nothing', answering(ITEM, 'undefined'), /'undefined' is not assignable to type 'Promise/, 1],
  ['an undeclared status', answering(ITEM, `notFound('none')`), /Type '404' is not assignable to type '200'/, 3],
  [
    'a body of an error',
    `operation({ method: 'GET', path: '', responses: { 204: {}, 404: { schema: { type: 'string' } } }, handle: () => noContent() });`,
    /Type '\{ type: string; \}' is not assignable to type 'undefined'/,
    1,
  ],
  [
    'an undeclared member',
    answering(ITEM, `ok({ id: 1, colour: 'red' })`),
    /Type '"\.colour"' is not assignable to type '"\.id" \| "\.name" \| "{}"'/,
    4,
  ],
  [
    'an undeclared member in an item of a list',
    answering(`{ type: 'array', items: ${ITEM} }`, `ok([{ id: 1, name: 'a', colour: 'red' }])`),
    /Type '"\[\]\.colour"' is not assignable to type '.*"\[\]" \| "\[\]\.id" \| "\[\]\.name" \| "\[\]{}"'/,
    4,
  ],
  [
    'a missing member',
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

/** The functions and classes whose options have a type that no entry exports. */
const TAKING: readonly (readonly [name: string, type: string])[] = [
  ['compression', 'Parameters<typeof F>[0]'],
  ['rateLimit', 'Parameters<typeof F>[0]'],
  ['description', 'Parameters<typeof F>[0]'],
  ['events', 'Parameters<typeof F>[2]'],
  ['file', 'Parameters<typeof F>[2]'],
  ['staticFiles', 'Parameters<typeof F>[0]'],
  ['health', 'Parameters<typeof F>[0]'],
  ['accessLog', 'Parameters<typeof F>[0]'],
  ['metrics', 'Parameters<typeof F>[0]'],
  ['requestLog', 'Parameters<typeof F>[0]'],
  ['RedisStore', 'ConstructorParameters<typeof F>[1]'],
  ['SqliteStore', 'ConstructorParameters<typeof F>[1]'],
  ['swaggerPage', 'Parameters<typeof F>[0]'],
  ['todo', 'Parameters<typeof F>[0]'],
  ['trace', 'Parameters<typeof F>[0]'],
  ['bytes', 'Exclude<Parameters<typeof F>[0], string>'],
  ['form', 'Parameters<typeof F>[1]'],
];

/** The exported types that callers pass to the library. */
const INPUT =
  /(?:Options|Declaration|Limits|Changes)$|^(?:AnyOperation|Controller|InjectedRequest|Instrument|Parameters|Plugin|ProblemExtra|Schema|SentRequest|ServerSentEvent|Violation)$/;

const names = exportedNames();
const inputTypes = names.filter(({ name, isType }) => isType && INPUT.test(name));
const sourceOf = (specifier: string) => entries().find((entry) => entry.specifier === specifier)!.source;

/** Even with `exactOptionalPropertyTypes`, an option accepts undefined, so `{ naming: settings.naming }` compiles. */
function optionsProgram(): string {
  const lines = inputTypes.flatMap(({ name, specifier }, at) => [
    `import type { ${name} as T${at} } from '${join(ROOT, sourceOf(specifier))}';`,
    `export const of${name}: Undefined<T${at}> extends Pick<T${at}, Optional<T${at}>> ? true : Refused<T${at}> = true;`,
  ]);
  const taking = TAKING.flatMap(([name, type], at) => {
    const { specifier } = names.find((exported) => exported.name === name)!;
    return [
      `import { ${name} } from '${join(ROOT, sourceOf(specifier))}';`,
      `type O${at} = NonNullable<${type.replace('F', name)}>;`,
      `export const to${name}: Undefined<O${at}> extends Pick<O${at}, Optional<O${at}>> ? true : Refused<O${at}> = true;`,
    ];
  });
  return [
    'type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];',
    'type Undefined<T> = { [K in Optional<T>]: undefined };',
    'type Refused<T> = { [K in Optional<T>]: { [L in K]: undefined } extends Pick<T, K> ? never : K }[Optional<T>];',
    ...lines,
    ...taking,
  ].join('\n');
}

const documented = names.map(({ name, file }) => ({ name, docstring: docstringOf(textOf(`src/${file}`), name) }));

/** Returns each example of a docstring as a program. */
function examplePrograms(): readonly (readonly [file: string, program: string])[] {
  const head = entries().map(({ specifier, source }) => {
    const exported = names.filter((name) => name.specifier === specifier);
    const imported = exported.map(({ name, isType }) => (isType ? `type ${name}` : name)).join(', ');
    return `import { ${imported} } from ${JSON.stringify(join(ROOT, source))};`;
  });
  return documented.flatMap(({ name, docstring }) =>
    examplesIn(docstring ?? '').map((example, at) => [
      `example-${name}-${at + 1}.ts`,
      `${head.join('\n')}\nexport async function example(): Promise<void> {\n${example}}\n`,
    ]),
  );
}

/** The options for the programs and for the sources that they import. */
const compilerOptions = {
  noEmit: true,
  rootDir: '/',
  declaration: false,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  noUnusedLocals: false,
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

const caseHead = `
import { noContent, notFound, ok, operation, schema } from '${join(ROOT, 'src/index.ts')}';
import { bearerTokens } from '${join(ROOT, 'src/shelf/authentication/authentication.ts')}';
`;
const examples = examplePrograms();
const folder = temporaryFolder({
  ...Object.fromEntries(CASES.map(([, program], at) => [`case-${at}.ts`, caseHead + program])),
  ...Object.fromEntries(examples),
  'options.ts': optionsProgram(),
  'package.json': '{"type":"module"}',
  'tsconfig.json': JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
});
const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, encoding: 'utf8' });
const errors = stdout.split(/^(?=\S)/m);
const errorsOf = (file: string): readonly string[] => errors.filter((error) => error.startsWith(file));

for (const [at, [mistake, , says, lines]] of CASES.entries()) {
  test(`surface – ${mistake} → causes one error of at most ${lines} lines with the reason`, () => {
    const [error = '', ...more] = errorsOf(`case-${at}.ts(`);
    assert.match(error, says);
    assert.deepEqual(more, []);
    assert.ok(error.trimEnd().split('\n').length <= lines, error);
  });
}

test('surface – each optional member of an input of the library → accepts undefined', () => {
  assert.ok(inputTypes.length > 10, inputTypes.map(({ name }) => name).join(', '));
  assert.deepEqual(errorsOf('options.ts'), []);
});

test('surface – every exported name → has a docstring whose examples compile with the exported names only', () => {
  assert.ok(names.length > 100 && examples.length > 40, `${names.length} names, ${examples.length} examples`);
  assert.deepEqual(
    documented.filter(({ docstring }) => !docstring).map(({ name }) => name),
    [],
  );
  assert.deepEqual(errorsOf('example-'), []);
});

test('surface – programs without a mistake → cause no errors', () => {
  assert.deepEqual(
    errors.filter((error) => !/^(?:case-|$)/.test(error)),
    [],
  );
});
