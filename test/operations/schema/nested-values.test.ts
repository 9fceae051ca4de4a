/**
 * Counts how often the parts of a nested value are read. A schema takes time in proportion to the length of the value, or
 * cannot be declared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSchema } from '../../../src/operations/schema/assert-schema.ts';
import { uncheckedValidator, valueChecker } from '../../../src/operations/schema/read-value.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';
import { serializer } from '../../../src/operations/schema/serialize.ts';

type Nest = (inner: object, level: number) => object;

/** A schema that refers to itself as `Node` in a choice, and what a level of its values adds around the level inside. */
type Row = readonly [clause: string, node: Schema, nest?: Nest];

const next: Nest = (inner) => ({ next: inner });
const turns: Nest = (inner, level) => (level % 2 === 0 ? { right: inner } : { left: inner });
const again = { $ref: 'Node' } as const;
const text = { type: 'string' } as const;
const free = { type: 'object' } as const;
const freeList = { type: 'array' } as const;
const withMember = (name: string, part: Schema): Schema => ({ type: 'object', properties: { [name]: part } });
const choice = (...oneOf: Schema[]): Schema => ({ oneOf });
const nodeOf = (...branches: Schema[]): Schema => withMember('next', choice(...branches));
const numbers = { type: 'array', items: { type: 'integer' }, uniqueItems: true } as const;

const LINEAR: readonly Row[] = [
  ['a reference alone', withMember('next', again)],
  ['a text or a reference', nodeOf(text, again)],
  ['a reference or a described list', nodeOf(again, numbers)],
  ['a reference or described members', nodeOf(withMember('other', numbers), again)],
  ['a reference or described members of the same name', nodeOf(withMember('next', withMember('next', text)), again)],
  ['a reference or a free list', nodeOf(again, freeList)],
  ['a reference or a list of them', nodeOf(again, { type: 'array', items: again }), (inner) => ({ next: [inner] })],
  [
    'a value of JSON',
    choice(text, { type: 'array', items: again }, { type: 'object', additionalProperties: again }),
    (inner, level) => (level % 2 === 0 ? [inner] : { a: inner }),
  ],
  [
    'different members',
    withMember('child', choice(withMember('left', again), withMember('right', again))),
    (inner, level) => ({ child: turns(inner, level) }),
  ],
  ['a free value in another member', nodeOf(withMember('meta', free), again)],
  [
    'a free value in different members',
    withMember('child', choice(withMember('left', again), withMember('right', free))),
    (inner) => ({ child: { left: inner } }),
  ],
  ['a free value without a choice', { type: 'object', properties: { next: again, meta: free } }],
  [
    'references in two members of allOf',
    { allOf: [withMember('left', choice(text, again)), withMember('right', choice(again, text))] },
    turns,
  ],
  [
    'a discriminator',
    {
      oneOf: ['a', 'b'].map((kind) =>
        schema(kind, {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string', const: kind }, next: again },
        }),
      ),
      discriminator: { propertyName: 'kind' },
    },
    (inner, level) => ({ kind: level % 2 === 0 ? 'a' : 'b', ...(level > 0 && { next: inner }) }),
  ],
  [
    'two levels of recursion',
    withMember('left', schema('Inner', withMember('right', choice(text, again, { type: 'array', items: again })))),
    turns,
  ],
];

const inner = schema('Inner', withMember('next', { $ref: 'Inner' }));
const REFUSED: readonly Row[] = [
  ['a free value', nodeOf(free, again)],
  ['a free value after it', nodeOf(again, free)],
  ['a free value with uniqueItems beside it', nodeOf({ ...free, additionalProperties: free }, again)],
  ['a free value in the same member', nodeOf(withMember('NEXT', free), again)],
  [
    'a free value in lists',
    nodeOf({ type: 'array', items: free }, { type: 'array', items: again }),
    (value) => ({ next: [value] }),
  ],
  ['a free value in allOf', nodeOf({ allOf: [withMember('next', free)] }, again)],
  ['a free value in a choice inside', nodeOf(choice(text, free), again)],
  ['a schema with a recursion of its own', nodeOf(inner, again)],
  ['two references', nodeOf(again, withMember('next', again))],
  ['two references in maps', nodeOf({ type: 'object', additionalProperties: again }, again)],
  ['two levels of recursion', withMember('next', schema('Inner', nodeOf({ $ref: 'Inner' }, again)))],
];

/** Returns a value with this number of levels, and the number of its members that have been read. */
function nested(levels: number, nest: Nest) {
  let reads = 0;
  const get = (target: object, name: string | symbol): unknown => {
    if (Object.hasOwn(target, name)) reads += 1;
    return Reflect.get(target, name);
  };
  let value: object = new Proxy(nest({}, 0), { get });
  for (let level = 1; level < levels; level += 1) value = new Proxy(nest(value, level), { get });
  return { value, reads: () => reads };
}

const WALKS = {
  read: (declared: Schema) => uncheckedValidator(declared, 'camelCase'),
  checked: (declared: Schema) => valueChecker(declared, 'camelCase'),
  written: (declared: Schema) => serializer(declared, 'camelCase') as (value: unknown) => unknown,
};

/** Returns how many reads a further level costs, at each of these numbers of levels. */
function costs(walk: (value: unknown) => unknown, nest: Nest, at: readonly number[]): readonly number[] {
  const counts = at.map((levels) => {
    const { value, reads } = nested(levels, nest);
    walk(value);
    return reads();
  });
  return counts.slice(1).map((count, index) => count - counts[index]!);
}

for (const [clause, node, nest = next] of LINEAR)
  for (const [name, walk] of Object.entries(WALKS))
    test(`D68 a nested value with ${clause} is ${name} → each level costs the same`, () => {
      const declared = schema('Node', node);
      assertSchema(declared, 'a body');
      const [first, ...others] = costs(walk(declared), nest, [40, 80, 120, 160]);
      assert.ok(first! > 0);
      assert.deepEqual(others, [first, first]);
    });

for (const [clause, node, nest = next] of REFUSED)
  test(`D68 a reference to a schema around oneOf and ${clause} → each level would cost more, so it throws`, () => {
    const declared = schema('Node', node);
    assert.throws(() => assertSchema(declared, 'a body'), {
      name: 'TypeError',
      message: /oneOf that read the same part of a nested value to any depth.*; give it a discriminator/,
    });
    const [first, second, third] = costs(WALKS.read(declared), nest, [2, 4, 6, 8]);
    assert.ok(first! < second! && second! < third!, `${first}, ${second}, ${third}`);
  });
