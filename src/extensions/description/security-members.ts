/** Writes security schemes and requirements into both formats (D71). */

import type { SecurityScheme } from '../../index.ts';
import { type RoutedOperation, requirementsOf } from '../../operations.ts';

/** A security scheme of a document. */
export type DescribedScheme = Readonly<Record<string, string>>;

/** The member `security` of an operation: the scheme names, in 3.1 with the roles. */
export type DescribedSecurity = readonly Readonly<Record<string, readonly string[]>>[];

/** The schemes of these operations by name. `write` writes one for the format. Throws an Error for two of one name. */
export function schemesOf(
  operations: readonly RoutedOperation[],
  write: (scheme: SecurityScheme) => DescribedScheme,
): Record<string, DescribedScheme> {
  const schemes: Record<string, DescribedScheme> = {};
  for (const { security = [] } of operations) {
    for (const { scheme } of requirementsOf(security)) {
      const written = write(scheme);
      const known = schemes[scheme.schemeName];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(written))
        throw new Error(`Cannot describe two security schemes named "${scheme.schemeName}": they differ; rename one`);
      schemes[scheme.schemeName] = written;
    }
  }
  return schemes;
}

/** The requirements of an operation. 2.0 has no roles beside these schemes. */
export const securityOf = ({ security }: RoutedOperation, hasRoles: boolean): DescribedSecurity | undefined =>
  security && requirementsOf(security).map(({ scheme, roles }) => ({ [scheme.schemeName]: hasRoles ? roles : [] }));

/** A scheme of 3.1. */
export const openApiScheme = ({ kind }: SecurityScheme): DescribedScheme => ({ ...kind });

/** A scheme of 2.0, which knows no bearer tokens: there they are a key in `Authorization`. */
export function swaggerScheme({ kind }: SecurityScheme): DescribedScheme {
  if (kind.type === 'apiKey') return { ...kind };
  const { description } = kind;
  if (kind.scheme === 'basic') return { type: 'basic', ...(description && { description }) };
  // The page sends what its user writes, as it is.
  const written = 'Write the word Bearer, a space and the token: `Bearer abc123`';
  const text = description ? `${description}\n\n${written}` : written;
  return { type: 'apiKey', in: 'header', name: 'Authorization', description: text };
}
