/**
 * Regular expressions as constraints (D22): the whole value has to match, ignoring case.
 *
 * `{verb:regex(list|get|create)}` limits the value to a set only so; searched for, `forget` would pass. The dialect is
 * JavaScript's, with the flags `iu` where the expression compiles so, otherwise `i`. One given as a `RegExp` keeps its own flags.
 */
import type { RouteConstraint } from './constraint.ts';
import { expressionCost } from './regex/expression-cost.ts';

/**
 * A constraint of an expression or of its text; its cost bounds the length of a value (D37). Throws a `SyntaxError` for one that does
 * not compile or can backtrack without end (D31).
 */
export function expression(
  source: string | RegExp,
  text = typeof source === 'string' ? `regex(${source})` : String(source),
): RouteConstraint {
  const pattern =
    typeof source === 'string' ? compile(source) : wholeValue(source.source, source.flags.replace(/[gy]/g, ''));
  const accepts = (value: string | undefined): boolean => value !== undefined && pattern.test(value);
  const bound = boundOf(typeof source === 'string' ? source : source.source, pattern.flags);
  return bound === undefined ? { text, accepts } : { text, accepts, bound };
}

/** Undefined where no length makes a difference that counts. */
function boundOf(source: string, flags: string): RouteConstraint['bound'] {
  try {
    const { degree, maxLength } = expressionCost(source, flags);
    return degree >= 2 || maxLength < WHOLE_PATH ? { degree, maxLength } : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`the expression "${source}" can take for ever: ${error.message}`, { cause: error });
  }
}

/** No path is longer, whatever the settings say (1 MiB). */
const WHOLE_PATH = 2 ** 20;

// With `m`, `^` and `$` also stand at the ends of a line: only a look finds the ends of the value then.
const wholeValue = (source: string, flags: string): RegExp =>
  new RegExp(flags.includes('m') ? `(?<![^])(?:${source})(?![^])` : `^(?:${source})$`, flags);

function compile(source: string): RegExp {
  try {
    new RegExp(source, 'iu');
    return wholeValue(source, 'iu');
  } catch {
    new RegExp(source, 'i'); // alone as well: `a)(b` compiles only inside the group
    return wholeValue(source, 'i');
  }
}
