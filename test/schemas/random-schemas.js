/** Random schemas with the keywords of this library, and random values that almost match. */
import { schema as named } from '../../src/operations/schema/schema.ts';

/** Returns a generator of random numbers from 0 to 1 for a seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random, count) => Math.floor(random() * count);
const oneOf = (random, list) => list[below(random, list.length)];
const chance = (random, share) => random() < share;

/** The names of properties. No two differ only in case, so that the oracle can undo a change of case anywhere. */
export const NAMES = ['key', 'isDone', 'sub-item', 'a/b', 'ünit', '名', 'hasOwnProperty', 'task', 'kind'];
const UNKNOWN = ['other', 'Ta\u017fk', '\u212aey', '__proto__', 'isPrototypeOf', ''];

const TEXTS = ['', 'a', 'ab', 'abc', 'Abc1', '12', '😀', '😀😀', 'a😀b', 'é', 'e\u0301', '\ud800', 'a\nb', 'null', '0'];
const PATTERNS = ['^[a-z]{2,3}$', '\\d', '^.{2}$', '^\\p{L}*$', '[😀-😎]', 'a|^$', '^(?:ab?)+c?$', '\\u{1F600}'];
const FORMATS = {
  uuid: [
    '9f2c1b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c',
    '00000000-0000-0000-0000-000000000000',
    'urn:uuid:9f2c1b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c',
  ],
  'date-time': [
    '2024-02-29T23:59:60Z',
    '2024-02-28t10:20:30.123z',
    '1999-12-31T00:00:00+01:00',
    '2000-01-01 00:00:00-23:59',
    '2016-12-31T18:29:60-05:30',
    '2017-01-01T05:29:60+05:30',
    '0000-01-01T24:00:00Z',
    '2000-01-01T00:00:00+0100',
    '2000-01-01T00:00:00-01',
    '2000-01-01\t00:00:00Z',
    '2016-12-31T23:59:60.5Z',
    '2017-01-01T09:14:60+09:15',
  ],
  date: ['2024-02-29', '1900-02-29', '2000-02-29', '2023-04-30', '9999-12-31', '0000-01-01'],
  email: ['a@b.de', 'a.b+c@x-y.example', 'joe@localhost', "o'h@a.b", 'a..b@c.de', `${'a'.repeat(64)}@b.de`],
  uri: [
    'http://a.b/c?d=e#f',
    'urn:isbn:1',
    'http://[::1]:80/',
    'http://[v1.a]/',
    'mailto:a@b.c',
    'http://a@b:1/%20',
    '//a/b',
    'a:',
    'http://1.2.3.4?x',
    'http://[::ffff:1.2.3.4]',
    'file:///x',
    'a://b:c/',
    'a:/b//c?#',
  ],
};
const NUMBERS = [
  ...[0, -0, 1, 2, 3, -1, 0.1, 0.3, 1.5, 4.35, 1e21, 1e-7, 100.01],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53],
];
const EXTREMES = [2 ** 63, -(2 ** 63), 2 ** 63 - 1024, 1e300, Infinity, 19.99, 1.1];
const FACTORS = [1, 2, 3, 0.1, 0.01, 0.5, 1.5, 1e-7, 4.35];
/** Characters with a meaning in a text with a format. */
const SPOILERS = ['', ...'09-:. @/%gZ+\n[]#?\t"é'];

/** A random schema. It is valid, unless a choice has several references, which `assertSchema` rejects. */
export function randomSchema(random) {
  const counter = { next: 0 };
  return schemaOf(random, below(random, 4), [], counter, chance(random, 0.75));
}

function schemaOf(random, depth, outer, counter, named_ = chance(random, 0.3)) {
  const form =
    depth <= 0 || (!named_ && chance(random, 0.45))
      ? 'scalar'
      : oneOf(random, ['object', 'object', 'object', 'array', 'allOf', 'oneOf', 'oneOf', 'discriminated']);
  const name = `S${counter.next++}`;
  const around = named_ && form !== 'scalar' ? [...outer, name] : outer;
  const made = FORMS[form](random, depth, around, counter);
  if (chance(random, 0.12)) made['x-nullable'] = true;
  return named_ ? named(name, made) : made;
}

const SCALARS = ['string', 'boolean', 'integer', 'number'];
const FORMS = {
  scalar: scalarSchema,
  object: (random, depth, outer, counter) =>
    objectSchema(random, depth, outer, counter, some(random, NAMES, 4), chance(random, 0.4)),
  array(random, depth, outer, counter) {
    const made = { type: 'array' };
    const isReference = outer.length > 0 && chance(random, 0.2);
    if (isReference) made.items = { $ref: oneOf(random, outer) };
    else if (chance(random, 0.85)) made.items = schemaOf(random, depth - 1, outer, counter);
    if (!isReference && chance(random, 0.5)) made.minItems = below(random, 3);
    if (chance(random, 0.5)) made.maxItems = 2 + below(random, 2);
    if (chance(random, 0.6) && SCALARS.includes(made.items?.type)) made.uniqueItems = true;
    return made;
  },
  allOf(random, depth, outer, counter) {
    const names = some(random, NAMES, 6);
    const middle = below(random, names.length + 1);
    const parts = [names.slice(0, middle), names.slice(middle)].map((part) => {
      const name = chance(random, 0.5) ? [`S${counter.next++}`] : [];
      const made = objectSchema(random, depth - 1, [...outer, ...name], counter, part, false);
      return name.length > 0 ? named(name[0], made) : made;
    });
    return { allOf: parts };
  },
  oneOf: (random, depth, outer, counter) => ({
    oneOf: Array.from({ length: 1 + below(random, 3) }, () => schemaOf(random, depth - 1, outer, counter)),
  }),
  discriminated(random, depth, outer, counter) {
    const branches = ['one', 'two', 'three'].slice(0, 1 + below(random, 3)).map((value) => {
      const name = `S${counter.next++}`;
      const names = some(random, NAMES, 3).filter((one) => one !== 'kind');
      const made = objectSchema(random, depth - 1, [...outer, name], counter, names, chance(random, 0.3));
      made.properties = {
        ...made.properties,
        kind: { type: 'string', ...(chance(random, 0.5) ? { const: value } : { enum: [value, `${value}s`] }) },
      };
      made.required = [...(made.required ?? []), 'kind'];
      return named(name, made);
    });
    return { oneOf: branches, discriminator: { propertyName: 'kind' } };
  },
};

const some = (random, list, most) => {
  const rest = [...list];
  return Array.from({ length: below(random, most + 1) }, () => rest.splice(below(random, rest.length), 1)[0]);
};

function objectSchema(random, depth, outer, counter, names, isClosed) {
  const made = { type: 'object' };
  if (names.length > 0 || chance(random, 0.5)) {
    made.properties = {};
    made.required = [];
    for (const name of names) {
      const refers = outer.length > 0 && chance(random, 0.3);
      const property = refers ? { $ref: oneOf(random, outer) } : schemaOf(random, depth - 1, outer, counter);
      if (chance(random, 0.06)) property[oneOf(random, ['readOnly', 'writeOnly'])] = true;
      if (refers && chance(random, 0.3)) property['x-nullable'] = true;
      if (!refers && chance(random, 0.5)) made.required.push(name);
      else if (property.type === 'integer' && property.enum !== undefined && chance(random, 0.3))
        property.default = property.enum[0];
      made.properties[name] = property;
    }
    if (made.required.length === 0) delete made.required;
  }
  if (isClosed) {
    const refers = outer.length > 0 && chance(random, 0.2);
    const further = refers ? { $ref: oneOf(random, outer) } : schemaOf(random, depth - 1, outer, counter);
    made.additionalProperties = chance(random, 0.5) ? false : further;
  }
  return made;
}

function scalarSchema(random) {
  const type = oneOf(random, ['string', 'string', 'integer', 'integer', 'number', 'boolean']);
  const made = { type };
  if (type === 'string') {
    if (chance(random, 0.4)) return { type, format: oneOf(random, Object.keys(FORMATS)) };
    if (chance(random, 0.3)) made.minLength = below(random, 3);
    if (chance(random, 0.3)) made.maxLength = 2 + below(random, 2);
    if (chance(random, 0.3)) made.pattern = oneOf(random, PATTERNS);
  } else if (type !== 'boolean') {
    if (type === 'integer' && chance(random, 0.4)) made.format = oneOf(random, ['int32', 'int64']);
    if (chance(random, 0.2)) made.minimum = oneOf(random, [-1, 0, 0.1, 1]);
    if (chance(random, 0.2)) made.maximum = oneOf(random, [1.5, 2, 3, 1e21]);
    if (chance(random, 0.2)) made.exclusiveMinimum = oneOf(random, [-1, 0, 0.1, 1]);
    if (chance(random, 0.2)) made.exclusiveMaximum = oneOf(random, [1.5, 2, 3, 1e21]);
    if (chance(random, 0.25)) made.multipleOf = oneOf(random, FACTORS);
  }
  if (chance(random, 0.15)) {
    const fitting = new Set(
      Array.from({ length: 3 }, () => scalarValue(random, made)).filter((one) => one !== undefined),
    );
    const values = [...fitting].filter((one) => one !== Infinity);
    if (values.length > 0) Object.assign(made, chance(random, 0.5) ? { enum: values } : { const: values[0] });
  }
  return made;
}

/** A value of a scalar type. Most values are near the limits, and some are invalid. */
function scalarValue(random, schema) {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return oneOf(random, schema.enum);
  if (schema.type === 'boolean') return chance(random, 0.5);
  if (schema.type === 'string')
    return oneOf(random, FORMATS[schema.format] ?? TEXTS.filter((one) => fits(one, schema)));
  const limits = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum];
  const near = limits.filter((one) => one !== undefined).flatMap((one) => [one, one + 1, one - 1]);
  const candidates = [...NUMBERS, ...near].filter((one) => fits(one, schema));
  return candidates.length > 0 ? oneOf(random, candidates) : undefined;
}

/** Returns true if a value matches most keywords. It is only an estimate. */
function fits(value, schema) {
  if (typeof value === 'number') {
    const { multipleOf, minimum = -Infinity, maximum = Infinity } = schema;
    const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
    return (
      (schema.type === 'number' || (Number.isInteger(value) && Math.abs(value) <= 2 ** 31 - 1)) &&
      value >= minimum &&
      value <= maximum &&
      value > exclusiveMinimum &&
      value < exclusiveMaximum &&
      (multipleOf === undefined || value === 0 || (Math.abs(value) < 1e15 && Number.isInteger(value / multipleOf)))
    );
  }
  const { minLength = 0, maxLength = Infinity, pattern = '' } = schema;
  const { length } = [...value];
  return length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(value);
}

/** A value that is valid in most cases. */
export function randomValue(random, schema, scope = new Map(), depth = 5) {
  const inner = scopeOf(schema, scope);
  if (schema['x-nullable'] && (depth <= 0 || chance(random, 0.2))) return null;
  if (schema.$ref !== undefined)
    return depth <= -3 ? null : randomValue(random, inner.get(schema.$ref), inner, depth - 1);
  if (schema.oneOf !== undefined) return randomValue(random, oneOf(random, schema.oneOf), inner, depth);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => randomValue(random, part, inner, depth)));
  if (schema.type === 'array') {
    const least = schema.minItems ?? 0;
    const most = depth <= 0 ? least : Math.min(schema.maxItems ?? 4, least + 2);
    const items = schema.items ?? { type: oneOf(random, ['string', 'boolean', 'integer']) };
    return Array.from({ length: least + below(random, most - least + 1) }, () =>
      randomValue(random, items, inner, depth - 1),
    );
  }
  if (schema.type !== 'object') return scalarValue(random, schema) ?? 0;
  const value = {};
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) ? !chance(random, 0.02) : depth > 0 && chance(random, 0.5))
      value[name] = randomValue(random, property, inner, depth - 1);
  const further = schema.additionalProperties;
  if (typeof further === 'object' && depth > 0)
    for (const name of some(random, UNKNOWN, 2)) set(value, name, randomValue(random, further, inner, depth - 1));
  else if (further === undefined && chance(random, 0.15)) set(value, oneOf(random, UNKNOWN), 1);
  return value;
}

/** The named schemas that a `$ref` in the schema can mean: outer schemas, itself, and the parts of its `allOf`. */
export function scopeOf(schema, outer) {
  const symbol = Object.getOwnPropertySymbols(schema)[0];
  const inner = new Map(outer);
  if (symbol !== undefined) inner.set(schema[symbol], schema);
  return (schema.allOf ?? []).reduce((scope, part) => scopeOf(part, scope), inner);
}

const set = (object, name, value) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

/** Returns the value with one random change. */
export function mutated(random, value) {
  const places = [];
  const whole = { value };
  const visit = (holder, name) => {
    places.push([holder, name]);
    const inside = holder[name];
    if (typeof inside === 'object' && inside !== null) for (const one of Object.keys(inside)) visit(inside, one);
  };
  visit(whole, 'value');
  const [holder, name] = oneOf(random, places);
  const old = holder[name];
  const kind = random();
  if (kind < 0.12 && holder !== whole && !Array.isArray(holder)) delete holder[name];
  else if (kind < 0.2 && holder !== whole && !Array.isArray(holder)) {
    const spelled = chance(random, 0.5) ? name.toUpperCase() : name.slice(0, 1).toUpperCase() + name.slice(1);
    if (spelled !== name) {
      set(holder, spelled, chance(random, 0.8) ? old : oneOf(random, TEXTS));
      if (chance(random, 0.8)) delete holder[name];
    }
  } else if (kind < 0.3) set(holder, name, null);
  else set(holder, name, changed(random, old));
  return whole.value;
}

function changed(random, old) {
  if (chance(random, 0.15)) return anything(random);
  if (typeof old === 'string') {
    const at = below(random, old.length + 1);
    return chance(random, 0.3)
      ? oneOf(random, TEXTS)
      : old.slice(0, at) + oneOf(random, SPOILERS) + old.slice(at + below(random, 3));
  }
  if (typeof old === 'number')
    return chance(random, 0.4)
      ? old + oneOf(random, [1, -1, 0.5, 0.1, -0.1])
      : oneOf(random, [...NUMBERS, ...EXTREMES]);
  if (Array.isArray(old)) {
    if (chance(random, 0.3)) return old.slice(1);
    const more = old.length > 0 && chance(random, 0.8) ? oneOf(random, old) : anything(random);
    return chance(random, 0.3) ? [...old, more, more, more] : [...old, more];
  }
  if (typeof old !== 'object' || old === null) return anything(random);
  const more = { ...old };
  set(more, oneOf(random, [...UNKNOWN, ...NAMES]), anything(random));
  return more;
}

const ANYTHING = [null, true, 0, 1.5, 'a', '', [], {}, [null], [1, 1], { kind: 'one' }, { kind: 1 }];
const anything = (random) => structuredClone(oneOf(random, [...ANYTHING, oneOf(random, TEXTS)]));
