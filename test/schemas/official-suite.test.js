/**
 * Asks the official JSON Schema Test Suite, as far as the library speaks its keywords. The registry has the suite of
 * draft 4; its keywords that are left have the same meaning in 2020-12, except for the two exclusive limits.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { assertSchema } from '../../src/operations/schema/assert-schema.ts';
import { bodyValidator, judgeOf, newState } from '../../src/operations/schema/judge.ts';
import { schema as named } from '../../src/operations/schema/schema.ts';

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('json-schema-test-suite/package.json')), 'tests');
const FILES = ['draft4', 'draft4/optional'].flatMap((folder) =>
  readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`),
);
/** At least so many answers have to be compared. */
const LEAST = 125;

function matches(value, schema) {
  const state = newState();
  judgeOf(schema, { naming: 'camelCase', isOpen: true })(value, state);
  return state.errors.length === 0;
}

/** Cases whose answer a later draft or a decision has replaced, with the reason. */
const REPLACED = {
  'a float is not an integer even without fractional part': 'JSON Schema 2020-12 section 4.2.3: 1.0 is an integer',
  'a bignum is an integer': 'D3: a body has no integer beyond 2^53',
  'a negative bignum is an integer': 'D3: a body has no integer beyond 2^53',
  'a valid protocol-relative URI': 'RFC 3986 section 4.2: it is a relative reference, and no URI',
};

/** The type that a keyword is about. The suite leaves it out, and the library requires it. */
const ABOUT = {
  number: ['minimum', 'maximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
};
const impliedType = (schema) =>
  Object.keys(ABOUT).find((type) => ABOUT[type].some((keyword) => keyword in schema)) ??
  (schema.enum === undefined ? undefined : sameType(schema.enum));

function sameType(values) {
  const [type, ...others] = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  return others.length === 0 && type !== 'object' ? type : undefined;
}

const UNKNOWN = ['anyOf', 'not', 'dependencies', 'patternProperties', 'minProperties', 'maxProperties'];

class NotSpoken extends Error {}

/** The schema in the words of the library. Throws `NotSpoken` with the reason. */
function spoken(given) {
  if (given.$ref === '#') return { $ref: 'Root' };
  if ('$ref' in given) throw new NotSpoken('$ref to a part of a document');
  const { $schema: _, description: __, definitions: ___, exclusiveMinimum, exclusiveMaximum, ...schema } = given;
  if ('allOf' in schema || 'oneOf' in schema) {
    const [form] = ['allOf', 'oneOf'].filter((keyword) => keyword in schema);
    if (Object.keys(schema).length > 1) throw new NotSpoken(`${form} beside other keywords`);
    return { [form]: schema[form].map(spoken) };
  }
  const unknown = UNKNOWN.find((keyword) => keyword in schema);
  if (unknown !== undefined) throw new NotSpoken(unknown);
  const type = schema.type ?? impliedType(schema);
  if (typeof type !== 'string') throw new NotSpoken('no type, or several');
  const made = { ...schema, type };
  if (exclusiveMinimum) [made.exclusiveMinimum, made.minimum] = [schema.minimum, undefined];
  if (exclusiveMaximum) [made.exclusiveMaximum, made.maximum] = [schema.maximum, undefined];
  if (schema.properties)
    made.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, spoken(one)]));
  if (Array.isArray(schema.items)) throw new NotSpoken('items that are a list');
  if (schema.items) made.items = spoken(schema.items);
  if (typeof schema.additionalProperties === 'object') made.additionalProperties = spoken(schema.additionalProperties);
  if (schema.additionalProperties === true) delete made.additionalProperties;
  return made;
}

/** Does a value have the types that are implied? Of another type, the suite lets every value pass. */
function hasImpliedTypes(value, given, root) {
  if (given.$ref === '#') return hasImpliedTypes(value, root, root);
  const choices = [...(given.allOf ?? []), ...(given.oneOf ?? [])];
  if (!choices.every((one) => hasImpliedTypes(value, one, root))) return false;
  const type = given.type === undefined && given.enum === undefined ? impliedType(given) : undefined;
  if (type !== undefined && !isOf(value, type)) return false;
  const { items, properties = {} } = given;
  if (Array.isArray(value)) return items === undefined || value.every((one) => hasImpliedTypes(one, items, root));
  return Object.entries(properties).every(
    ([name, one]) => !Object.hasOwn(Object(value), name) || hasImpliedTypes(value[name], one, root),
  );
}

const isOf = (value, type) =>
  type === 'array' ? Array.isArray(value) : typeof value === type && value !== null && !Array.isArray(value);

test('the official suite of draft 4 and the library agree about what the library speaks', () => {
  const left = new Map();
  const leave = (reason, count = 1) => left.set(reason, (left.get(reason) ?? 0) + count);
  const faults = [];
  let compared = 0;
  for (const file of FILES)
    for (const { description, schema: given, tests } of JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))) {
      let schema;
      try {
        schema = named('Root', spoken(given));
        assertSchema(schema, 'the suite');
      } catch (error) {
        leave(error.message.replace(/^.*the suite: /, '').replace(/; (?:use|give|no) .*$/, ''), tests.length);
        continue;
      }
      const validate = bodyValidator(schema, 'camelCase');
      for (const { description: what, data, valid } of tests) {
        const reason = hasImpliedTypes(data, given, given)
          ? REPLACED[what]
          : 'a value of a type that the schema is not about';
        if (reason !== undefined) {
          leave(reason);
          continue;
        }
        compared += 1;
        const asBody = validate(data, JSON.stringify(data)).errors === undefined;
        const asReply = matches(data, schema);
        if (asBody !== valid || asReply !== valid)
          faults.push(`${file}, ${description}, ${what}: ${asBody} as a body, ${asReply} as a reply, not ${valid}`);
      }
    }
  console.log(`${compared} answers compared; left out:`);
  for (const [reason, count] of [...left].sort()) console.log(`  ${String(count).padStart(5)} ${reason}`);
  assert.deepEqual(faults, []);
  assert.ok(compared >= LEAST, `only ${compared} answers were compared`);
});
