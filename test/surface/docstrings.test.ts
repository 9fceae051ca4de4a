/** Each name that the library exports says what it is; the examples compile. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, textOf } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';
import { compiled } from './compiled.ts';
import { docstringOf, examplesIn } from './docstrings.ts';
import { exportedNames } from './exported-names.ts';

/** What a plugin calls first, where the README does not show it, and what is easier shown than said. */
const SHOWN = [
  'HttpProblem',
  'RepresentedCollection',
  'RouteCollection',
  'authentication',
  'contextFor',
  'contextWith',
  'controller',
  'cors',
  'csv',
  'health',
  'metrics',
  'mounted',
  'notFound',
  'readResponses',
  'schema',
  'serializer',
  'text',
  'verification',
  'withHeaders',
];

const names = exportedNames();
const documented = names.map(({ name, file }) => ({ name, docstring: docstringOf(textOf(`src/${file}`), name) }));

for (const [source, docstring, examples] of [
  ['/** One. */\nexport const a = 1;', 'One.', []],
  ['/** One. */\n\nexport const a = 1;', undefined, []],
  ['/** One. */\nconst b = 1;\nexport const a = b;', undefined, []],
  ['/** Of the file. */\nimport b from "b";\n/** One. */\nexport type a = b;', 'One.', []],
  [
    '/**\n * One.\n *\n *     a();\n *     b();\n */\nexport function a() {}',
    'One.\n\n    a();\n    b();',
    ['a();\nb();\n'],
  ],
  [
    '/**\n *     a();\n *\n *     b();\n * Or\n *     c();\n */\nexport class a {}',
    undefined,
    ['a();\n\nb();\n', 'c();\n'],
  ],
] as const) {
  test(`surface – the docstring in ${JSON.stringify(source)} → ${examples.length} examples`, () => {
    const found = docstringOf(source, 'a');
    if (examples.length === 0) assert.equal(found, docstring);
    assert.deepEqual(examplesIn(found ?? ''), examples);
  });
}

test('surface – every exported name → a docstring in front of its declaration', () => {
  assert.ok(names.length > 100, `${names.length} names were found`);
  assert.deepEqual(
    documented.filter(({ docstring }) => !docstring).map(({ name }) => name),
    [],
  );
});

test('surface – what a plugin calls first → shown by an example', () => {
  const shown = documented.filter(({ docstring }) => examplesIn(docstring ?? '').length > 0).map(({ name }) => name);
  assert.deepEqual(
    SHOWN.filter((name) => !shown.includes(name)),
    [],
  );
});

test('surface – the examples of docstrings → the compiler accepts them with the exported names alone', () => {
  const head = entries()
    .map(({ specifier, source }) => {
      const own = names.filter((name) => name.specifier === specifier);
      const imported = own.map(({ name, isType }) => (isType ? `type ${name}` : name)).join(', ');
      return `import { ${imported} } from ${JSON.stringify(join(ROOT, source))};`;
    })
    .join('\n');
  const files = documented.flatMap(({ name, docstring }) =>
    examplesIn(docstring ?? '').map((example, at) => [
      `${name}-${at + 1}.ts`,
      `${head}\nexport async function example(): Promise<void> {\n${example}}\n`,
    ]),
  );
  const { status, stdout } = compiled(Object.fromEntries(files));
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
