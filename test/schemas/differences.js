/**
 * The intended differences from ajv, each as narrow as possible: the written schema with one rule of ajv replaced, with
 * one rule that it does not have, or the value with the names of the schema. The verdict of ajv must then equal the
 * verdict of the library.
 */
import { NAMES } from './random-schemas.js';
import { eachSchema } from './written.js';

const decimal = (number) => {
  const [mantissa, exponent] = number.toExponential().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
};

function isExactMultiple(factor, value) {
  if (!Number.isFinite(value)) return true;
  const [digits, power] = Math.abs(value) > Number.MAX_SAFE_INTEGER ? [BigInt(value), 0] : decimal(value);
  const [factorDigits, factorPower] = decimal(factor);
  const shift = power - factorPower;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % factorDigits === 0n
    : digits % (factorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** An authority with a valid port; the rest of it is not checked. */
const AUTHORITY = /^(?:[^@]*@)?(?:\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/;

/** A value without a schema, with numbers in the range of a double. */
const ANY = { $ref: '#/$defs/any' };
const ANY_VALUE = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  items: ANY,
  additionalProperties: ANY,
};

/**
 * Each difference replaces `formats` or `keywords` of ajv, or changes the value or the written schema. `decides` names
 * the keyword that is never the only error of an unchanged ajv. `side` is `body` or `reply` if the other side does not
 * have the difference.
 */
const DIFFERENCES = [
  {
    name: 'a reply has only described members',
    reason: 'D14: clients ignore other members, and the service does not send them',
    side: 'reply',
    written: closed,
  },
  {
    name: 'a readOnly member of a body is ignored',
    reason: 'section 9.4 of JSON Schema Validation: the owning authority may ignore it',
    side: 'body',
    written: (schema) => eachSchema(schema, (one) => (one.readOnly ? true : one)),
  },
  {
    name: 'a writeOnly member is not sent',
    reason: 'section 9.4 of JSON Schema Validation: it is never present when the value is retrieved',
    side: 'reply',
    written: (schema) => eachSchema(schema, (one) => (one.writeOnly ? false : one)),
  },
  {
    name: 'an integer of a body is at most 2^53',
    reason: 'D3: the service never stores another number than the client sent',
    side: 'body',
    written: (schema) => eachSchema(schema, (one) => (one.type?.includes?.('integer') ? safe(one) : one)),
  },
  {
    name: 'a number in a free value is in the range of a double',
    reason: 'D14: JSON has no infinite numbers',
    written: (schema) => ({
      ...eachSchema(schema, (one) => {
        if (Object.keys(one).length === 0) return ANY;
        return one.additionalProperties === true ? { ...one, additionalProperties: ANY } : one;
      }),
      $defs: { any: ANY_VALUE },
    }),
  },
  {
    side: 'body',
    name: 'names ignore case',
    reason: 'D1: the property takes a member that differs in case, and the last of several counts',
    value: exactNames,
  },
  {
    name: 'multipleOf is exact',
    reason:
      'section 6.2.1 of JSON Schema Validation is about numbers of JSON, which are decimal, and beyond 2^53 the double that was read; ajv divides doubles',
    keywords: { multipleOf: isExactMultiple },
  },
  {
    name: 'uuid has no urn:uuid:',
    reason: 'RFC 9562 §4 has the text without the prefix; the prefix makes it a URN',
    formats: { uuid: (own, text) => own(text) && !/^urn:/i.test(text) },
  },
  {
    name: 'email at a domain of one label',
    reason: 'RFC 5321 §4.1.2: Domain = sub-domain *("." sub-domain)',
    formats: { email: (own, text) => own(text.replace(/@[^.]+$/, '$&.x')) },
  },
  {
    name: 'date-time with an offset without colon or minutes',
    reason: 'RFC 3339 §5.6: time-numoffset = ("+" / "-") time-hour ":" time-minute',
    formats: { 'date-time': (own, text) => own(text) && /(?:z|[+-]\d\d:\d\d)$/i.test(text) },
  },
  {
    name: 'date-time with a tab or line break between date and time',
    reason: 'RFC 3339 §5.6 has "T", and allows a space; ajv takes any white space',
    formats: { 'date-time': (own, text) => own(text) && !/[^\S ]/.test(text) },
  },
  {
    name: 'uri of a scheme alone',
    reason: 'RFC 3986 §3: hier-part can be path-empty',
    formats: { uri: (own, text) => own(text.replace(/^([a-z][a-z\d+.-]*:)(?=[?#]|$)/i, '$1x')) },
  },
  {
    name: 'uri with a port of other characters than digits',
    reason: 'RFC 3986 §3.2.3: port = *DIGIT; ajv takes "a://b:c" as a path that begins with two slashes, against §3.3',
    formats: { uri: (own, text) => own(text) && AUTHORITY.test(/^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? '') },
  },
  {
    name: 'int64 has 64 bits',
    reason: 'OpenAPI: signed 64 bits; ajv takes any integer',
    decides: 'format int64',
    formats: { int64: (own, number) => own(number) && number >= -(2 ** 63) && number < 2 ** 63 },
  },
];

export const differencesOf = (side) => DIFFERENCES.filter((one) => one.side === undefined || one.side === side);

function safe({ minimum = -Infinity, maximum = Infinity, ...one }) {
  const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
  return { ...one, minimum: Math.max(minimum, MIN_SAFE_INTEGER), maximum: Math.min(maximum, MAX_SAFE_INTEGER) };
}

/** Returns the schema without other members than the described ones. The parts of an `allOf` are closed together. */
function closed(written) {
  const named = written.components?.schemas ?? written.definitions;
  const withParts = (one) => {
    // An allOf of one reference is written by 2.0 for the reference with other members.
    if (one.allOf === undefined || one.allOf.length === 1) return one;
    const parts = one.allOf.map((part) =>
      part.$ref === undefined ? part : eachSchema(named[part.$ref.split('/').at(-1)], withParts),
    );
    const open = parts.map(({ additionalProperties: _, ...part }) => ({ ...part, isPart: true }));
    return { ...one, allOf: open, unevaluatedProperties: false };
  };
  return eachSchema(eachSchema(written, withParts), (one) => {
    const isOpen = one.properties !== undefined && one.additionalProperties === undefined && !one.isPart;
    return isOpen ? { ...one, additionalProperties: false } : one;
  });
}

/** Returns the value with each property name in the spelling of the schema. */
function exactNames(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(exactNames);
  const exact = {};
  for (const [name, member] of Object.entries(value)) {
    const meant = NAMES.find((one) => new RegExp(`^${one}$`, 'i').test(name)) ?? name;
    Object.defineProperty(exact, meant, {
      value: exactNames(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return exact;
}
