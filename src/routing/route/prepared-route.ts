/** Declares a prepared route: a route with all that matching and links need, computed once. */
import type { Segment } from '../template/template.ts';
import type { LinkParts } from './link-parts.ts';
import type { Route } from './route.ts';
import type { ConstrainedValue } from './route-constraints.ts';
import type { Defaults } from './route-defaults.ts';

/** A route that a collection has accepted. */
export interface PreparedRoute {
  readonly route: Route;
  /** The index of the route in its collection. */
  readonly position: number;
  /** In upper case; undefined for any method. */
  readonly methods: readonly string[] | undefined;
  /** The least number of segments of a path. Segments after those are optional or have defaults. */
  readonly requiredSegments: number;
  readonly captures: readonly Capture[];
  /** True if each value is a whole required segment without constraints: the route matches where its literals do. */
  readonly plain: boolean;
  readonly catchAll: string | undefined;
  readonly defaults: Defaults;
  readonly constrained: readonly ConstrainedValue[];
  readonly linkParts: LinkParts;
}

/** Declares where values come from: a segment, the rest of the path from a segment on, or the parts of a segment. */
export interface Capture {
  /** The name of the value; empty if there are parts. */
  readonly name: string;
  readonly depth: number;
  readonly catchAll: boolean;
  readonly parts: Segment | undefined;
}
