/** Lists the keywords that each form of a schema has. What is not listed is not spoken, and refused (D68). */

const ANNOTATIONS = ['title', 'description', 'default', 'example', 'x-nullable', 'readOnly', 'writeOnly'] as const;
const NUMBER = [
  ...ANNOTATIONS,
  'type',
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** The keywords by the form: a `type`, or the keyword that stands in its place. */
export const KEYWORDS = {
  string: [...ANNOTATIONS, 'type', 'format', 'enum', 'const', 'minLength', 'maxLength', 'pattern'],
  boolean: [...ANNOTATIONS, 'type', 'enum', 'const'],
  integer: NUMBER,
  number: NUMBER,
  array: [...ANNOTATIONS, 'type', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  object: [...ANNOTATIONS, 'type', 'properties', 'required', 'additionalProperties'],
  allOf: [...ANNOTATIONS, 'allOf'],
  oneOf: [...ANNOTATIONS, 'oneOf', 'discriminator'],
  $ref: [...ANNOTATIONS, '$ref'],
} as const;

/** The form of a schema. */
export type Form = keyof typeof KEYWORDS;

/** The keywords of a form. */
export type KeywordOf<F extends Form> = (typeof KEYWORDS)[F][number];

/** The formats by the type. `keywords/format.ts` checks them. */
export interface Formats {
  readonly string: 'uuid' | 'date' | 'date-time' | 'email' | 'uri' | 'password';
  readonly integer: 'int32' | 'int64';
  readonly number: 'float' | 'double';
}
