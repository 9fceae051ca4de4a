/**
 * Decides which parts may be adjacent in a segment of several parts (§4.3 rules 1 and 2; reference A.5).
 *
 * `{a}{b}` does not say where one value ends and the other begins. Only the last part may be optional, and it follows a
 * single period: `{filename}.{ext?}`.
 */
import type { Literal, Parameter, Segment } from './template.ts';
import { fail } from './template-error.ts';

/** Marks the period before an optional parameter. Throws a `TemplateError` for an invalid sequence of parts. */
export function checkSegment(template: string, parts: readonly (Literal | Parameter)[]): Segment {
  const refuse = (offset: number, problem: string, remedy: string): never => fail(template, offset, problem, remedy);
  for (const part of parts) {
    if (part.kind === 'parameter' && part.catchAll)
      refuse(part.offset, `the catch-all parameter "${part.name}" shares its segment`, 'give it a segment of its own');
  }
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'parameter' || !part.optional) continue;
    const { name, offset } = part;
    const before = parts[index - 1];
    if (index < parts.length - 1) {
      const remedy = 'move it to the end or leave the "?" out';
      refuse(offset, `the optional parameter "${name}" is not the last part of its segment`, remedy);
    }
    if (before?.kind !== 'literal' || before.text !== '.') {
      const remedy = 'put just "." before it, or give it a segment of its own';
      refuse(offset, `the optional parameter "${name}" does not follow a single period`, remedy);
    }
  }
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.kind === 'parameter' && before?.kind === 'parameter')
      refuse(part.offset - 1, `parameters "${before.name}" and "${part.name}" touch`, 'put a literal between them');
  }
  const last = parts.at(-1)!;
  return last.kind === 'parameter' && last.optional
    ? parts.with(-2, { ...(parts.at(-2) as Literal), optionalSeparator: true })
    : parts.slice();
}
