/**
 * The paths under which a route template is described: what a client can put together from names and values.
 *
 * `api/todo/{id:guid}`, `{id=5}` and `{*id}` are all `/api/todo/{id}` (reference A.6). An optional parameter gives two paths, for
 * a path parameter that may be missing cannot be said: `files/{name}.{ext?}` is `/files/{name}` and `/files/{name}.{ext}`.
 */
import type { Parameter, RouteTemplate, Segment } from '../../routing/template/template.ts';

/** One path of a template. */
export interface DescribedPath {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly key: string;
  readonly segments: readonly Segment[];
  readonly parameters: readonly Parameter[];
}

/** The paths of a template, the shortest first; the last has every parameter. */
export function describedPaths(template: RouteTemplate): DescribedPath[] {
  const { segments } = template;
  const paths = [describedPath(segments)];
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const last = segments[at]!.at(-1)!;
    if (last.kind === 'literal') break;
    const before = segments.slice(0, at),
      isMixed = segments[at]!.length > 1;
    // In `{name}.{ext?}` the period goes with the parameter.
    if (last.optional) paths.unshift(describedPath(isMixed ? [...before, segments[at]!.slice(0, -2)] : before));
    if (isMixed || !(last.optional || last.catchAll || last.default !== undefined)) break;
  }
  return paths;
}

function describedPath(segments: readonly Segment[]): DescribedPath {
  const keyOf = (segment: Segment): string =>
    segment.map((part) => (part.kind === 'literal' ? encoded(part.text) : `{${part.name}}`)).join('');
  return {
    key: `/${segments.map(keyOf).join('/')}`,
    segments,
    parameters: segments.flat().filter((part) => part.kind === 'parameter'),
  };
}

/** A literal as it stands in a URL (RFC 3986 §3.3); a brace would read as a parameter. */
const encoded = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$&'()*+,;=:@-]+/gu, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\ufffd')),
  );
