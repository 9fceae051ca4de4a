/** Decides which media types the successes of an operation can have. */
import type { Operation } from './operation.ts';

/** The media types that an operation lists; else JSON where a success has a schema, else none (D14). */
export function producedMediaTypes({ produces, responses }: Operation): readonly string[] {
  const hasBody = Object.entries(responses).some(
    ([status, { schema }]) => Number(status) < 300 && schema !== undefined,
  );
  return produces ?? (hasBody ? ['application/json'] : []);
}
