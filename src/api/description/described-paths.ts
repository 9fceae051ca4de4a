/**
 * The `paths` member, alike in both formats: paths by first appearance, and inside a path always the same order of methods (A.6).
 *
 * That order – get, put, post, delete, options, head, patch – is the reference's, whatever the order of the routes.
 */
import type { DescribedOperation } from './described-operation.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The operations of a path by lower-case method. */
export type PathItem<Described> = { readonly [Method in (typeof METHODS)[number]]?: Described };

/** Groups operations by path; `describe` writes each. */
export function pathsOf<Described>(
  operations: readonly DescribedOperation[],
  describe: (operation: DescribedOperation) => Described,
): Record<string, PathItem<Described>> {
  const byPath = new Map<string, DescribedOperation[]>();
  for (const operation of operations) {
    const { key } = operation.path;
    byPath.set(key, [...(byPath.get(key) ?? []), operation]);
  }
  return Object.fromEntries(Array.from(byPath, ([key, here]) => [key, pathItem(here, describe)]));
}

function pathItem<Described>(
  here: readonly DescribedOperation[],
  describe: (operation: DescribedOperation) => Described,
): PathItem<Described> {
  const byMethod = new Map(here.map((described) => [described.operation.method.toLowerCase(), described]));
  return Object.fromEntries(
    METHODS.flatMap((method) => {
      const described = byMethod.get(method);
      return described ? [[method, describe(described)]] : [];
    }),
  );
}
