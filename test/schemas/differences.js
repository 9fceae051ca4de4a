/**
 * The intended differences from ajv, each as narrow as possible: the same schema with one rule of ajv
 * replaced, or the value with the names of the schema. The verdict of ajv must then equal the verdict of the library.
 */
import { NAMES } from './random-schemas.js';

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

/** Each difference replaces `formats` or `keywords` of ajv, or changes the value.
 * `decides` names the keyword that is never the only error of an unchanged ajv. */
export const DIFFERENCES = [
  {
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
