/**
 * Declares the format of a file of recorded cases: routes with requests and links, constraints, templates, and the
 * answers.
 */
import type { LinkValue, RouteOptions } from '../../../src/core/routing/route.ts';

type Values = Record<string, string | null>;
interface RouteCase extends Omit<RouteOptions, 'method'> {
  readonly template: string;
  /** The recorded system calls methods verbs. */
  readonly verbs?: NonNullable<RouteOptions['method']>;
}
/** Routes with requests and links. */
export interface CollectionCase {
  readonly id: string;
  readonly options?: { lowercaseUrls?: boolean; appendTrailingSlash?: boolean };
  readonly routes: readonly RouteCase[];
  readonly requests?: readonly { id: string; method: string; rawPath: string; route: number | null; values?: Values }[];
  readonly links?: readonly {
    id: string;
    ambient: Values | null;
    values: Record<string, LinkValue>;
    routeName: string | null;
    path: string | null;
    route?: number | null;
  }[];
}
interface PartCase {
  literal?: string;
  optionalSeparator?: boolean;
  parameter?: string;
  catchAll?: boolean;
  optional?: boolean;
  default?: string;
  constraints?: readonly string[];
}

/** Recorded cases. */
export interface CaseFile {
  readonly collections?: readonly CollectionCase[];
  readonly constraints?: readonly {
    id: string;
    constraint: string;
    outside?: boolean;
    value: string | null;
    accept: boolean;
  }[];
  readonly resolves?: readonly { id: string; constraint: string; outcome: 'ok' | 'unresolved' | 'error' }[];
  readonly parses?: readonly {
    id: string;
    template: string;
    parse: 'ok' | 'error';
    segments?: readonly (readonly PartCase[])[];
    route: 'ok' | 'error';
  }[];
}
