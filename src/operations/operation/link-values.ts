/** Types the values of a link by the path and the query of the operation that it leads to (D67). */
import type { LinkValue, LinkValues } from '../../core/routing/route.ts';
import type { OmissibleOf, ValuesOf } from '../../core/routing/template.ts';
import type { Parameters, PathValues } from '../parameters/parameter.ts';
import type { Infer } from '../schema/schema.ts';

/** The arguments behind the operation; `Own` is the path from whose request values come that are not given. */
export type TargetArguments<Path extends string, Query, Given, Own extends string> = string extends Path
  ? [values?: LinkValues]
  : ArgumentsOf<TargetValues<PathValues<Path, Given>, OmissibleOf<Path> | keyof ValuesOf<Own>> & QueryValues<Query>>;
type ArgumentsOf<Values> = {} extends Values ? [values?: Values | Pairs] : [values: Values | Pairs];
type Pairs = Iterable<readonly [name: string, value: LinkValue]>;

type TargetValues<Path, Omissible> = {
  readonly [Name in Exclude<keyof Path, Omissible>]: TextOf<Path[Name]>;
} & { readonly [Name in keyof Path & Omissible]?: TextOf<Path[Name]> | null | undefined };
type QueryValues<Query> = Query extends Parameters
  ? { readonly [Name in NeededIn<Query>]: TextOf<Infer<Query[Name]>> } & {
      readonly [Name in Exclude<keyof Query, NeededIn<Query>>]?: TextOf<Infer<Query[Name]>> | null | undefined;
    }
  : unknown;
type NeededIn<Query> = {
  [Name in keyof Query]: Query[Name] extends { readonly required: true } ? Name : never;
}[keyof Query];

/** A value as a link writes it: an integer may be a text, as those of the request are; one of a few is one of them. */
type TextOf<Value> = Value extends readonly (infer One)[]
  ? TextOf<One> | readonly TextOf<One>[]
  : string extends Value
    ? string | number | bigint
    : number extends Value
      ? string | number | bigint
      : Value extends bigint
        ? string | number | bigint
        : Value extends boolean
          ? boolean | 'true' | 'false'
          : Value;
