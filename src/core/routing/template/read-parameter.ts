/** Reads and checks one parameter of a template, from `{` to `}` (§4.3, template syntax; reference A.2, A.3). */
import { sameText } from '../text/fold-case.ts';
import { parseParameter } from './parse-parameter.ts';
import type { Parameter } from './template.ts';
import { fail } from './template-error.ts';

const NOT_IN_NAME = /[/{}?*]/;

/**
 * Reads the parameter between the braces at `open` and `close`. `before` holds the parameters to its left. Throws a
 * `TemplateError` for a missing, invalid or repeated name, and for flags that exclude each other.
 */
export function readParameter(template: string, open: number, close: number, before: readonly Parameter[]): Parameter {
  const raw = template.slice(open + 1, close);
  const text = unescapeBraces(raw);
  const catchAll = text[0] === '*';
  const optional = text.endsWith('?');
  const start = catchAll ? 1 : 0;
  const offset = open + 1 + start;
  const end = optional ? Math.max(start, text.length - 1) : text.length;
  const { name, constraints, default: fallback } = parseParameter(text.slice(start, end));
  if (catchAll && optional) {
    const remedy = 'leave the "?" out, a catch-all may be empty anyway';
    fail(template, open, `the catch-all parameter "${name}" is optional`, remedy);
  }
  if (optional && fallback !== undefined)
    fail(template, open, `the optional parameter "${name}" has a default`, 'leave out the "?" or the default');
  if (name === '') fail(template, offset, 'a parameter has no name', 'give it one');
  const wrong = name[name.search(NOT_IN_NAME)];
  if (wrong !== undefined) {
    const remedy = wrong === '?' ? 'put the "?" last, before the brace' : 'choose another name';
    fail(template, offset, `the parameter name "${name}" holds a "${wrong}"`, remedy);
  }
  if (before.some((one) => sameText(one.name, name)))
    fail(template, offset, `the parameter "${name}" is there twice`, 'rename one of them, case makes no difference');
  return {
    kind: 'parameter',
    name,
    catchAll,
    optional,
    offset,
    default: fallback,
    constraints:
      constraints.length === 0
        ? constraints
        : constraints.map((one) => ({ text: one.text, offset: open + 1 + rawOffset(raw, start + one.offset) })),
  };
}

/** Converts an offset in the unescaped text to one in the raw text, where each escaped brace takes two units. */
function rawOffset(raw: string, offset: number): number {
  let at = 0;
  for (let count = 0; count < offset; count++)
    at += (raw[at] === '{' || raw[at] === '}') && raw[at + 1] === raw[at] ? 2 : 1;
  return at;
}

/** Replaces each doubled brace of a template by one brace. Runs of braces pair from the left. */
export const unescapeBraces = (text: string): string =>
  text.indexOf('{') < 0 && text.indexOf('}') < 0 ? text : text.replaceAll('}}', '}').replaceAll('{{', '{');
