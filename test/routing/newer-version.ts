/** Which recorded answers come from a version of the described system that is newer than the rules, and differ from them. */
import type { LinkValue } from '../../src/routing/route/link-values.ts';
import type { CollectionCase } from './case-file.ts';

/** C.5 refuses what is too large; the newer version that recorded some of the answers rounds it to infinity. */
export function isRounded(constraint: string, value: string | null): boolean {
  if (constraint !== 'double' && constraint !== 'float') return false;
  const number = Number(String(value).replaceAll(',', ''));
  return !Number.isNaN(number) && !Number.isFinite(constraint === 'float' ? Math.fround(number) : number);
}

/**
 * Links that a newer version answers otherwise. It shows an empty explicit value to constraints where E.2 drops it; and where a
 * trailing slash is added, the recorded answers have the slashes of a catch-all escaped against D26.
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
        Object.keys(constraints ?? {}).some((one) => one.toLowerCase() === name),
    ),
  );
}
