/** Decides which recorded answers may differ, because a newer version of the recorded system gave them. */
import type { LinkValue } from '../../../src/core/routing/route.ts';
import type { CollectionCase } from './case-file.ts';

/** C.5 rejects a number that is too large. The newer version rounds it to infinity. */
export function isRounded(constraint: string, value: string | null): boolean {
  if (constraint !== 'double' && constraint !== 'float') return false;
  const number = Number(String(value).replaceAll(',', ''));
  return !Number.isNaN(number) && !Number.isFinite(constraint === 'float' ? Math.fround(number) : number);
}

/**
 * True for links that the newer version makes differently. It applies constraints to an empty value, which E.2 drops.
 * With `appendTrailingSlash` it escapes the slashes of a catch-all, against D26.
 */
export function isOfNewer(
  { options, routes }: CollectionCase,
  values: Record<string, LinkValue>,
  path: string | null,
): boolean {
  if (
    options?.appendTrailingSlash &&
    path !== null &&
    /%2f/i.test(path.replace(/\?.*/s, '')) &&
    routes.some(({ template }) => template.includes('{*'))
  )
    return true;
  const empty = Object.keys(values)
    .filter((name) => values[name] === null || values[name] === '')
    .map((name) => name.toLowerCase());
  if (empty.length === 0 || empty.length === Object.keys(values).length) return false;
  return routes.some(({ template, constraints }) =>
    empty.some(
      (name) =>
        template.toLowerCase().includes(`{${name}:`) ||
        template.toLowerCase().includes(`{*${name}:`) ||
        Object.keys(constraints ?? {}).some((key) => key.toLowerCase() === name),
    ),
  );
}
