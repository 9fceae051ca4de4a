/** Finds patterns of an operation that can take long for a text from a client, for warnings (D37). */
import { isObject } from '../../core/log/thrown-value.ts';
import { hasEndless, nestedRepetition } from '../../core/routing/constraints/repetition.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { Keywords } from '../schema/schema.ts';

const REMEDY = 'use a custom format with a check';

/**
 * Returns a warning for each pattern with a repetition inside a repetition, and for each pattern outside of the path
 * that has a repetition without a bound, but no `maxLength`. A segment of a path has a maximum length.
 */
export function doubtfulPatterns({ operation, id }: RoutedOperation): readonly string[] {
  const { body, query, headers: header, parameters: path } = operation;
  return Object.entries({ body, query, header, path }).flatMap(([place, declared]) =>
    [...patternsIn(declared)].flatMap(({ pattern, maxLength }) => {
      const subject = `the ${place} of the operation "${id}"`;
      const isUnlimited = place !== 'path' && maxLength === undefined && hasEndless(pattern);
      return [
        nestedRepetition(pattern, subject, REMEDY) ?? [],
        isUnlimited ? `The pattern "${pattern}" in ${subject} has no maxLength; give one, or ${REMEDY}` : [],
      ].flat();
    }),
  );
}

/** Returns the schemas with a pattern in a body, or in a record of parameters, at any depth. */
function* patternsIn(declared: unknown): Generator<Keywords & { readonly pattern: string }> {
  if (!isObject(declared)) return;
  if (declared['type'] === 'string' && typeof declared['pattern'] === 'string') yield declared as never;
  for (const part of Object.values(declared)) yield* patternsIn(part);
}
