/** Reads which schema of a `oneOf` each value of its discriminator selects. */
import { joinedObject } from './joined-object.ts';
import type { Scalar, Schema } from './schema.ts';

/** The schemas of `oneOf` by the value of the property. A schema without such a property is left out. */
export function branchesOf({ oneOf = [], discriminator }: Schema): ReadonlyMap<Scalar, Schema> {
  const branches = new Map<Scalar, Schema>();
  for (const branch of oneOf) {
    const property = joinedObject(branch)?.properties?.[discriminator?.propertyName ?? ''];
    const values = property?.const === undefined ? (property?.enum ?? []) : [property.const];
    for (const value of values) branches.set(value, branch);
  }
  return branches;
}
