/**
 * What may stand beside what in a segment of several parts (§4.3 rules 1 and 2; reference A.5).
 *
 * `{a}{b}` says nowhere where the one ends and the other begins. An optional parameter may only be the last part, behind a single
 * period: `{filename}.{ext?}`.
 */

import type { Literal, Parameter, Segment } from './template.ts';
import { fail } from './template-error.ts';

/** Gives back the parts, with the period before an optional parameter marked; throws a `TemplateError` for what may not be. */
export function checkSegment(template: string, parts: readonly (Literal | Parameter)[]): Segment {
  for (const part of parts) {
    if (part.kind === 'parameter' && part.catchAll)
      fail(
        template,
        part.offset,
        `the catch-all parameter "${part.name}" shares its segment`,
        'give it a segment of its own',
      );
  }
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'parameter' || !part.optional) continue;
    if (index < parts.length - 1)
      fail(
        template,
        part.offset,
        `the optional parameter "${part.name}" is not the last part of its segment`,
        'move it to the end or leave the "?" out',
      );
    const before = parts[index - 1]!;
    if (before.kind !== 'literal' || before.text !== '.')
      fail(
        template,
        part.offset,
        `the optional parameter "${part.name}" does not follow a single period`,
        'put just "." before it, or give it a segment of its own',
      );
  }
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.kind === 'parameter' && before?.kind === 'parameter')
      fail(
        template,
        part.offset - 1,
        `parameters "${before.name}" and "${part.name}" touch`,
        'put a literal between them',
      );
  }
  const last = parts.at(-1)!;
  return last.kind === 'parameter' && last.optional
    ? parts.with(-2, { ...(parts.at(-2) as Literal), optionalSeparator: true })
    : parts.slice();
}
