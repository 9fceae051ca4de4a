/**
 * Derives the paths under which a description lists a route template.
 *
 * `api/todo/{id:guid}`, `{id=5}` and `{*id}` all give `/api/todo/{id}` (A.6). A path parameter cannot be optional in
 * either format, so an optional one gives two paths: `files/{name}.{ext?}` gives `/files/{name}` and
 * `/files/{name}.{ext}`.
 */
import type { RouteTemplate, Segment } from '../../routing.ts';

/** One path of a template. */
export interface TemplatePath {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly key: string;
  readonly segments: readonly Segment[];
}

/** Returns the paths of a template, the shortest first. The last has every parameter. */
export function templatePaths({ segments }: RouteTemplate): TemplatePath[] {
  const paths = [templatePath(segments)];
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at]!;
    const last = segment.at(-1)!;
    if (last.kind === 'literal') break;
    const before = segments.slice(0, at);
    const isMixed = segment.length > 1;
    // The period in `{name}.{ext?}` is left out with the parameter.
    if (last.optional) paths.unshift(templatePath(isMixed ? [...before, segment.slice(0, -2)] : before));
    if (isMixed || !(last.optional || last.catchAll || last.default !== undefined)) break;
  }
  return paths;
}

function templatePath(segments: readonly Segment[]): TemplatePath {
  const keyOf = (segment: Segment): string =>
    segment.map((part) => (part.kind === 'literal' ? encodeLiteral(part.text) : `{${part.name}}`)).join('');
  return { key: `/${segments.map(keyOf).join('/')}`, segments };
}

/** Percent-encodes a literal (RFC 3986 §3.3), braces too, so that they do not read as a parameter. */
const encodeLiteral = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$&'()*+,;=:@-]+/gu, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\ufffd')),
  );
