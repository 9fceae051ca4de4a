/**
 * The valid and invalid values of each keyword (D68). `test/schemas` compares random values with another validator.
 */

import { type Schema, schema } from '../../../src/operations/schema/schema.ts';

export interface KeywordCase {
  readonly clause: string;
  readonly schema: Schema;
  readonly valid: readonly unknown[];
  /** A value with its violations: the pointer inside the value, and the text. */
  readonly invalid: readonly (readonly [value: unknown, ...faults: (readonly [pointer: string, detail: string])[]])[];
}

const cat = schema('Cat', {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', const: 'cat' }, lives: { type: 'integer', maximum: 9 } },
});
const dog = schema('Dog', {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['dog', 'puppy'] },
    tricks: { type: 'array', items: { type: 'string' } },
  },
});
const node = schema('Node', {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    next: { $ref: 'Node', 'x-nullable': true },
    children: { type: 'array', items: { $ref: 'Node' } },
  },
});
const THREES = schema('Threes', { type: 'integer', multipleOf: 3 });
const nested = (depth: number): unknown => JSON.parse(`${'{"name":"","next":'.repeat(depth)}null${'}'.repeat(depth)}`);

/** A violation shows at most 300 characters of this pointer. */
const DEEP = '/next'.repeat(201);

export const KEYWORD_CASES: readonly KeywordCase[] = [
  {
    clause: 'enum',
    schema: { type: 'string', enum: ['low', 'high'], 'x-nullable': true },
    valid: ['low', 'high', null],
    invalid: [
      ['Low', ['', 'Expected one of "low", "high"']],
      [1, ['', 'Expected a string or null, not a number']],
    ],
  },
  {
    clause: 'const',
    schema: { type: 'boolean', const: true },
    valid: [true],
    invalid: [[false, ['', 'Expected true']]],
  },
  {
    clause: 'minimum, maximum',
    schema: { type: 'number', minimum: -1, maximum: 1.5 },
    valid: [-1, 0, 1.5],
    invalid: [
      [-1.1, ['', 'Expected at least -1']],
      [2, ['', 'Expected at most 1.5']],
    ],
  },
  {
    clause: 'exclusiveMinimum, exclusiveMaximum',
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    valid: [0.001, 9.999],
    invalid: [
      [0, ['', 'Expected more than 0']],
      [10, ['', 'Expected less than 10']],
    ],
  },
  {
    clause: 'multipleOf, in decimal',
    schema: { type: 'number', multipleOf: 0.1 },
    valid: [0.3, 1.1, -4.2, 0, 1e22],
    invalid: [[0.35, ['', 'Expected a multiple of 0.1']]],
  },
  {
    clause: 'minLength, maxLength, in code points',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    valid: ['ab', 'abc', '\u{1f600}\u{1f600}', '\u{1f600}\u{1f600}\u{1f600}'],
    invalid: [
      ['a', ['', 'Expected 2 or more characters, not 1']],
      ['\u{1f600}', ['', 'Expected 2 or more characters, not 1']],
      ['abcd', ['', 'Expected 3 or fewer characters, not 4']],
      ['\u{1f600}abc', ['', 'Expected 3 or fewer characters, not 4']],
    ],
  },
  {
    clause: 'pattern, searched for and respecting case, unlike D22',
    schema: { type: 'string', pattern: 'b{1,3}c' },
    valid: ['bc', 'abbcd'],
    invalid: [['BC', ['', 'Expected the pattern b{1,3}c']]],
  },
  {
    clause: 'D37 a pattern that is searched for from each character, in a text with a maximum length',
    schema: { type: 'string', maxLength: 100, pattern: '[a-z]+1' },
    valid: ['a1', `${'a'.repeat(99)}1`],
    invalid: [
      ['a'.repeat(100), ['', 'Expected the pattern [a-z]+1']],
      [`${'a'.repeat(100)}1`, ['', 'Expected 100 or fewer characters, not 101']],
    ],
  },
  {
    clause: 'every violation of one value',
    schema: { type: 'string', minLength: 3, pattern: '^[a-z]+$', enum: ['abc', 'abcd'] },
    valid: ['abc'],
    invalid: [
      [
        '1',
        ['', 'Expected one of "abc", "abcd"'],
        ['', 'Expected 3 or more characters, not 1'],
        ['', 'Expected the pattern ^[a-z]+$'],
      ],
    ],
  },
  {
    clause: 'minItems, maxItems, and items',
    schema: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer', minimum: 0 } },
    valid: [[0], [1, 2]],
    invalid: [
      [[], ['', 'Expected 1 or more items, not 0']],
      [
        [1, -1, 'x'],
        ['', 'Expected 2 or fewer items, not 3'],
      ],
      [
        [-1, 'x'],
        ['/0', 'Expected at least 0'],
        ['/1', 'Expected an integer, not a string'],
      ],
    ],
  },
  {
    clause: 'D37 a list that is too long → its items are not judged',
    schema: { type: 'array', maxItems: 2, items: { type: 'integer' } },
    valid: [[1, 2]],
    invalid: [
      [
        ['x', 'x', 'x'],
        ['', 'Expected 2 or fewer items, not 3'],
      ],
    ],
  },
  {
    clause: 'uniqueItems: 1 and 1.0 are equal',
    schema: { type: 'array', uniqueItems: true, items: { type: 'number', 'x-nullable': true } },
    valid: [[], [1, 2, null]],
    invalid: [
      [
        [1, 2, 1.0],
        ['', 'Expected items that differ; item 2 repeats an earlier one'],
      ],
      [
        [null, null],
        ['', 'Expected items that differ; item 1 repeats an earlier one'],
      ],
    ],
  },
  {
    clause: 'format int64',
    schema: { type: 'integer', format: 'int64' },
    valid: [0, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    invalid: [
      [2 ** 63, ['', 'Expected an integer, not one beyond 2^53']],
      [0.5, ['', 'Expected an integer, not 0.5']],
    ],
  },
  {
    clause: 'additionalProperties: false, in the spelling that was sent',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    valid: [{}, { a: '' }],
    invalid: [[{ a: '', 'b/c': 1 }, ['/b~1c', 'This member is not allowed here']]],
  },
  {
    clause: 'additionalProperties: a map, also of the name __proto__',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    valid: [{}, { a: 1, B: 2 }, JSON.parse('{"__proto__":1,"constructor":2}')],
    invalid: [[JSON.parse('{"__proto__":"x"}'), ['/__proto__', 'Expected an integer, not a string']]],
  },
  {
    clause: 'properties and a map',
    schema: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' } },
      additionalProperties: { type: 'number' },
    },
    valid: [{ name: 'a', x: 1.5 }],
    invalid: [[{ x: '' }, ['/name', 'This member is required'], ['/x', 'Expected a number, not a string']]],
  },
  {
    clause: 'allOf joins objects',
    schema: {
      allOf: [cat, { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } }],
    },
    valid: [{ kind: 'cat', name: 'Tom', lives: 9 }],
    invalid: [
      [
        { kind: 'dog', name: '', lives: 10 },
        ['/kind', 'Expected "cat"'],
        ['/lives', 'Expected at most 9'],
        ['/name', 'Expected 1 or more characters, not 0'],
      ],
      [5, ['', 'Expected an object, not a number']],
    ],
  },
  {
    clause: 'oneOf: exactly one',
    schema: { oneOf: [schema('Even', { type: 'integer', multipleOf: 2 }), THREES, { type: 'string' }] },
    valid: [2, 3, 'x'],
    invalid: [
      [6, ['', 'Expected exactly one of Even, Threes, a string; it fits Even, Threes']],
      [1, ['', 'Expected exactly one of Even, Threes, a string; it fits none']],
      [null, ['', 'Expected exactly one of Even, Threes, a string; it fits none']],
    ],
  },
  {
    clause: 'oneOf with a discriminator: what is wrong with the schema that it selects',
    schema: { oneOf: [cat, dog], discriminator: { propertyName: 'kind' }, 'x-nullable': true },
    valid: [{ kind: 'cat', lives: 1 }, { kind: 'puppy', tricks: ['sit'] }, null],
    invalid: [
      [{ kind: 'cat', lives: 10 }, ['/lives', 'Expected at most 9']],
      [{ kind: 'dog', tricks: [1] }, ['/tricks/0', 'Expected a string, not a number']],
      [{ kind: 'cow' }, ['/kind', 'Expected one of "cat", "dog", "puppy"']],
      [{}, ['/kind', 'Expected one of "cat", "dog", "puppy"']],
      [[], ['', 'Expected an object, not an array']],
    ],
  },
  {
    clause: 'a recursive schema',
    schema: node,
    valid: [{ name: 'a', next: null }, { name: 'a', next: { name: 'b', next: null }, children: [] }, nested(150)],
    invalid: [
      [
        { name: 'a', next: null, children: [{ name: 'b', next: {} }] },
        ['/children/0/next/name', 'This member is required'],
      ],
      [
        nested(250),
        [`${DEEP.slice(0, 144)}…${DEEP.slice(-149)}`, 'Expected a value that is nested in at most 200 of its kind'],
      ],
    ],
  },
];
