/** Writes the keywords that limit a value, in the spelling of each format. */
import type { Schema } from '../../index.ts';

type Keywords = Readonly<Record<string, unknown>>;

const SAME = [
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const satisfies readonly (keyof Schema)[];

/**
 * The keywords that both formats spell alike. Readers of 2.0 have no flag `u` for a pattern: one that needs it would
 * refuse what is right, so it is `x-pattern` there.
 */
export const commonLimits = (schema: Schema, isNewer: boolean): Keywords =>
  Object.fromEntries(
    SAME.filter((name) => schema[name] !== undefined).map((name) => [
      name === 'pattern' && !isNewer && NEEDS_FLAG.test(schema.pattern!) ? 'x-pattern' : name,
      schema[name],
    ]),
  );

/** What an expression has only with the flag `u`: properties, escapes in braces, characters above U+FFFF. */
const NEEDS_FLAG = /^(?:[^\\]|\\[^pPu]|\\u[^{])*(?:\\[pP]|\\u\{|[\u{10000}-\u{10ffff}])/u;

/** `enum` and `const` of 3.1. Where null is allowed, it has to be one of the values. */
export function openApiValues(schema: Schema): Keywords {
  const { const: only, enum: values } = schema;
  const isNullable = schema['x-nullable'] === true;
  if (only !== undefined) return isNullable ? { enum: [only, null] } : { const: only };
  return values === undefined ? {} : { enum: isNullable ? [...values, null] : values };
}

/** The `enum` of 2.0, which has no `const`: an `enum` of one value (D68). */
export function swaggerValues({ const: only, enum: values }: Schema): Keywords {
  if (only !== undefined) return { enum: [only] };
  return values === undefined ? {} : { enum: values };
}

/** The limits of 3.1, where an exclusive one is a number of its own. */
export const openApiLimits = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Keywords => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
  ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
  ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
});

/** The limits of 2.0, where an exclusive one is a flag beside the limit. Of two, the narrower is written. */
export function swaggerLimits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Keywords {
  const isAbove = exclusiveMinimum !== undefined && !(minimum !== undefined && minimum > exclusiveMinimum);
  const isBelow = exclusiveMaximum !== undefined && !(maximum !== undefined && maximum < exclusiveMaximum);
  return {
    ...(isAbove ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : minimum !== undefined && { minimum }),
    ...(isBelow ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : maximum !== undefined && { maximum }),
  };
}
