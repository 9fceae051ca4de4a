/**
 * Makes constraints from regular expressions (D22): the whole value has to match, ignoring case.
 *
 * `{verb:regex(list|get|create)}` has to limit the value to a set, so `forget` is refused. The dialect is JavaScript's,
 * with the flags `iu` where the expression compiles with them, otherwise `i`. A `RegExp` keeps its own flags except `g`
 * and `y`.
 */
import { pure, type RouteConstraint } from './constraint.ts';
import { expressionCost } from './expression-cost.ts';

/** No path is longer, whatever the settings say (1 MiB). */
const MAX_PATH_LENGTH = 2 ** 20;

/**
 * The constraint of a `RegExp` or of the source of one. Its cost bounds the length of a value (D37). Throws a
 * `SyntaxError` for an expression that does not compile or whose time can grow exponentially (D31).
 */
export function expression(
  given: string | RegExp,
  text = typeof given === 'string' ? `regex(${given})` : String(given),
): RouteConstraint {
  const [source, flags] =
    typeof given === 'string' ? [given, flagsOf(given)] : [given.source, given.flags.replace(/[gy]/g, '')];
  const pattern = wholeValue(source, flags);
  const accepts = (value: string | undefined): boolean => value !== undefined && pattern.test(value);
  const bound = boundOf(source, flags);
  return pure(bound === undefined ? { text, accepts } : { text, accepts, bound });
}

/** Undefined where the cost of the longest path is acceptable. */
function boundOf(source: string, flags: string): RouteConstraint['bound'] {
  try {
    const cost = expressionCost(source, flags);
    return cost.degree >= 2 || cost.maxLength < MAX_PATH_LENGTH ? cost : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const remedy = 'write it otherwise, or give a predicate, (value) => …, outside the template';
    throw new SyntaxError(`the expression "${source}" can take for ever: ${error.message}; ${remedy}`, {
      cause: error,
    });
  }
}

// With the flag `m`, `^` and `$` match at every line. Lookarounds match at the ends of the value only.
const wholeValue = (source: string, flags: string): RegExp =>
  new RegExp(flags.includes('m') ? `(?<![^])(?:${source})(?![^])` : `^(?:${source})$`, flags);

// The source is compiled alone: `a)(b` would compile inside the group of `wholeValue`.
function flagsOf(source: string): string {
  try {
    new RegExp(source, 'iu');
    return 'iu';
  } catch {
    new RegExp(source, 'i');
    return 'i';
  }
}
