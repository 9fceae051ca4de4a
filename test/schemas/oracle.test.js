/**
 * Asks ajv (JSON Schema 2020-12) whether the written descriptions of random schemas say about random values what the
 * library does: as bodies, as replies, and as output of the serializer. Where Swagger 2.0 cannot say something, its
 * document must not forbid what the library takes or sends.
 * `PAIRS=100000 SEED=7 npm run test:schemas` compares more and other pairs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assertSchema } from '../../src/operations/schema/assert-schema.ts';
import { uncheckedValidator, valueChecker } from '../../src/operations/schema/read-value.ts';
import { serializer, WrongValue } from '../../src/operations/schema/serialize.ts';
import { differencesOf } from './differences.js';
import { mutated, randomFrom, randomSchema, randomValue } from './random-schemas.js';
import { rewritten, writtenIn20, writtenIn31 } from './written.js';

const PAIRS = Number(process.env.PAIRS ?? 5000);
const SEED = Number(process.env.SEED ?? 1);
const VALUES_PER_SCHEMA = 10;
/** The shortest example of each kind. */
const MOST_SHOWN = 3;

const KEYWORDS = [
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'required'],
  ...['additionalProperties', 'oneOf', '$ref', 'allOf'],
  ...['uuid', 'date-time', 'date', 'email', 'uri', 'int32'].map((format) => `format ${format}`),
];

function ajvWith(differences) {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    validateFormats: true,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    logger: false,
  });
  addFormats(ajv);
  for (const { formats = {}, keywords = {} } of differences) {
    for (const [name, check] of Object.entries(formats)) {
      const own = ajv.formats[name];
      const test = own instanceof RegExp ? (value) => own.test(value) : (own.validate ?? own);
      ajv.addFormat(name, { type: own.type ?? 'string', validate: (value) => check(test, value) });
    }
    for (const [keyword, validate] of Object.entries(keywords)) {
      ajv.removeKeyword(keyword);
      ajv.addKeyword({ keyword, type: 'number', validate });
    }
  }
  return ajv;
}

const ajv = ajvWith([]);
const SIDES = { body: differencesOf('body'), reply: differencesOf('reply') };
/** For each side a validator for each difference, and a validator with all of them. */
const OTHERS = Object.fromEntries(
  Object.entries(SIDES).map(([side, all]) => [side, [...all.map((one) => [one]), all].map(otherAjv)]),
);

/** Returns the schema as it is written, changed by these differences. */
const changed = (written, differences) =>
  differences.reduce((one, difference) => difference.written?.(one) ?? one, written);

function otherAjv(differences) {
  const other = ajvWith(differences);
  return {
    difference: differences.length === 1 ? differences[0] : { name: 'several of them' },
    judge(written, value) {
      other.removeSchema();
      const validate = other.compile(changed(written, differences));
      return validate(differences.reduce((one, difference) => difference.value?.(one) ?? one, value));
    },
  };
}

/** Returns the difference that makes ajv agree with `verdict`, or undefined. */
const explanation = (written, value, verdict, side) =>
  OTHERS[side].find(({ judge }) => judge(written, value) === verdict)?.difference;

/** Returns the keyword for which ajv rejects a value; empty if several keywords fail. */
function decidingKeywords(errors, definitions) {
  const found = new Set();
  for (const { keyword, schemaPath, params } of errors) {
    if (keyword === 'anyOf' || schemaPath.endsWith('/anyOf/1/type')) continue;
    found.add(keyword === 'format' ? `format ${params.format}` : keyword);
  }
  if (found.size > 1) found.delete('oneOf');
  if (found.size > 1) return [];
  const deciding = errors.filter(({ keyword }) => found.has(keyword));
  const referred = objectsIn(definitions);
  return [
    ...found,
    ...(deciding.some(({ parentSchema }) => referred.has(parentSchema)) ? ['$ref'] : []),
    ...(deciding.some(({ schemaPath }) => schemaPath.includes('/allOf/')) ? ['allOf'] : []),
  ];
}

function objectsIn(value, found = new Set()) {
  if (typeof value !== 'object' || value === null) return found;
  found.add(value);
  for (const one of Object.values(value)) objectsIn(one, found);
  return found;
}

/** Returns true if the serializer throws too: for another type, or a missing required member. */
const isOfOtherType = (errors) =>
  errors.some(
    ({ keyword, schemaPath, params }) =>
      keyword === 'required' ||
      params.format === 'int32' ||
      (keyword === 'type' && !schemaPath.endsWith('/anyOf/1/type')),
  );

/** Returns the error message of the serializer, or undefined. */
function refusalOf(write, value) {
  try {
    write(value);
    return undefined;
  } catch (error) {
    if (error instanceof WrongValue) return error.message;
    throw error;
  }
}

const counter = () => {
  const counts = new Map();
  return { counts, add: (name) => counts.set(name, (counts.get(name) ?? 0) + 1) };
};

/**
 * Returns the documents of a schema. 2.0 has no choices, no patterns with the flag u, and no writeOnly members. A
 * document of both sides does not require what one side lacks.
 */
function documentsOn(side, schema) {
  const text = JSON.stringify(schema);
  const isMarked = /"(?:readOnly|writeOnly)":/.test(text);
  const in20 = writtenIn20(schema);
  const isShort = isMarked || text.includes('"oneOf":') || JSON.stringify(in20).includes('"x-pattern":');
  return [
    { name: '3.1', written: writtenIn31(schema, [side]), saysLess: false },
    ...(isMarked
      ? [{ name: '3.1 of both sides', written: writtenIn31(schema, ['body', 'reply']), saysLess: true }]
      : []),
    { name: '2.0', written: in20, saysLess: isShort },
  ].map((document) => ({ ...document, accepts: ajv.compile(document.written) }));
}

test(`the library and ajv agree about ${PAIRS} random pairs, seed ${SEED}`, () => {
  const verdicts = counter();
  const decided = counter();
  const differences = counter();
  const faults = {};
  const fault = (seed, kind, schema, value, detail) => {
    verdicts.add(`not explained: ${kind}`);
    const text = `${named(schema)} with ${JSON.stringify(value)}: ${JSON.stringify(detail)}, seed ${seed}`;
    const shortest = [...(faults[kind] ?? []), text].sort((one, other) => one.length - other.length);
    faults[kind] = shortest.slice(0, MOST_SHOWN);
  };
  let pairs = 0;
  for (let seed = SEED * 1_000_000; pairs < PAIRS; seed += 1) {
    const random = randomFrom(seed);
    const schema = randomSchema(random);
    try {
      assertSchema(schema, 'the oracle');
    } catch (error) {
      if (!/schemas in oneOf that read the same part of a nested value|tries \d+ schemas/.test(error.message))
        fault(seed, 'assertSchema refuses', schema, undefined, error.message);
      verdicts.add('schemas with a choice of several references, refused');
      continue;
    }
    verdicts.add('schemas');
    const body = uncheckedValidator(schema, 'camelCase');
    const check = valueChecker(schema, 'camelCase');
    const write = serializer(schema, 'camelCase');
    const hasChoice = JSON.stringify(schema).includes('"oneOf":');
    // The first schema that fits may leave out a member that another schema would write.
    const hidesInChoice = hasChoice && JSON.stringify(schema).includes('"writeOnly":');
    ajv.removeSchema();
    const documents = { body: documentsOn('body', schema), reply: documentsOn('reply', schema) };
    const [asReply] = documents.reply;
    const acceptsReply = ajv.compile(changed(asReply.written, SIDES.reply));
    const acceptsRewritten = ajv.compile(rewritten(asReply.written));

    const agree = (side, { name, written, accepts, saysLess }, value, verdict, detail) => {
      const kind = `${side} in ${name}`;
      const expected = accepts(value);
      const { errors } = accepts;
      verdicts.add(`${kind} ${expected ? 'valid' : 'invalid'}`);
      if (kind === 'body in 3.1' && !expected)
        for (const one of decidingKeywords(errors, written.components)) decided.add(one);
      if (verdict === expected) return;
      if (saysLess && expected) return differences.add(`${kind}: it says less`);
      const difference = explanation(written, value, verdict, side);
      if (difference === undefined) fault(seed, kind, schema, value, expected ? detail : errors);
      else differences.add(`${kind}: ${difference.name}`);
      if (difference?.decides !== undefined && !verdict) decided.add(difference.decides);
    };

    for (let at = 0; at < VALUES_PER_SCHEMA && pairs < PAIRS; at += 1, pairs += 1) {
      let value = JSON.parse(JSON.stringify(randomValue(random, schema) ?? null));
      for (; random() < 0.5; ) value = mutated(random, value);
      const text = JSON.stringify(value);
      try {
        const { errors, value: read } = body(value);
        const found = check(value);
        for (const document of documents.body) agree('body', document, value, errors === undefined, errors);
        for (const document of documents.reply) agree('reply', document, value, found.length === 0, found);
        if (acceptsReply(value) && found.length === 0) {
          const sent = JSON.parse(write(value));
          verdicts.add('serialized');
          if (!hidesInChoice && !isDeepStrictEqual(sent, JSON.parse(text)))
            fault(seed, 'serialized', schema, value, sent);
        } else {
          // In a choice the serializer also checks keywords and unknown members. Elsewhere it checks only types.
          if (!hasChoice) {
            const expected = isOfOtherType(acceptsReply.errors ?? []);
            verdicts.add(`writing ${expected ? 'refused' : 'not refused'}`);
            const refusal = refusalOf(write, value);
            if ((refusal !== undefined) !== expected) fault(seed, 'writing', schema, value, refusal ?? 'not refused');
          }
          // A body lacks readOnly members, which a reply may need.
          if (errors === undefined && documents.body[0].accepts(value)) {
            const refusal = refusalOf(write, read);
            if (refusal === undefined) {
              const sent = JSON.parse(write(read));
              verdicts.add('serialized from a body');
              if (!acceptsRewritten(sent)) fault(seed, 'serialized from a body', schema, value, sent);
            } else if (!JSON.stringify(schema).includes('"readOnly":'))
              fault(seed, 'serialized from a body', schema, value, refusal);
          }
        }
      } catch (error) {
        fault(seed, `thrown: ${error.message.slice(0, 20)}`, schema, value, error.stack.split('\n').slice(0, 3));
      }
    }
  }
  print('verdicts', verdicts);
  print('invalid by one keyword', decided);
  print('differences', differences);
  for (const { name, reason } of new Set(Object.values(SIDES).flat())) console.log(`  ${name}: ${reason}`);
  assert.deepEqual(faults, {}, `seed ${SEED}`);
  const [valid, invalid] = ['body in 3.1 valid', 'body in 3.1 invalid'].map(
    (name) => (verdicts.counts.get(name) ?? 0) / pairs,
  );
  assert.ok(valid > 0.25 && invalid > 0.25, `${valid} valid, ${invalid} invalid, seed ${SEED}`);
  // Some differences are rare: a small number of random pairs may lack them.
  if (PAIRS < (SEED === 1 ? 5000 : 20_000)) return;
  const silent = KEYWORDS.filter((keyword) => !decided.counts.has(keyword));
  assert.deepEqual(silent, [], `keywords that decided nothing, seed ${SEED}`);
});

/** Returns the schema as JSON, with its names. */
const named = (schema) =>
  JSON.stringify(schema, (_, one) => {
    const [symbol] = Object.getOwnPropertySymbols(Object(one));
    return symbol === undefined ? one : { name: one[symbol], ...one };
  });

function print(title, { counts }) {
  console.log(`${title}:`);
  for (const [name, count] of [...counts].sort()) console.log(`  ${String(count).padStart(7)} ${name}`);
}
