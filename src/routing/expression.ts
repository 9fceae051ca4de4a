/**
 * Regular expressions as constraints (D22): the whole value has to match, ignoring case.
 *
 * `{verb:regex(list|get|create)}` limits the value to a set only so; searched for, `forget` would pass. The dialect is
 * JavaScript's, with the flags `iu` where the expression compiles so, otherwise `i`. One given as a `RegExp` keeps its own flags.
 */
import type { RouteConstraint } from './constraint.ts';
import { riskOf } from './expression-risk.ts';

/**
 * A constraint of an expression or of its text. Throws a `SyntaxError` for one that does not compile or can backtrack without end
 * (D31).
 */
export function expression(
  source: string | RegExp,
  text = typeof source === 'string' ? `regex(${source})` : String(source),
): RouteConstraint {
  const pattern = typeof source === 'string' ? compile(source) : new RegExp(whole(source.source), source.flags.replace(/[gy]/g, ''));
  const risk = riskOf(typeof source === 'string' ? source : source.source, pattern.flags);
  if (risk !== undefined)
    throw new SyntaxError(`the expression "${typeof source === 'string' ? source : source.source}" can take for ever: ${risk}`);
  return { text, accepts: (value) => value !== undefined && pattern.test(value) };
}

const whole = (source: string): string => `^(?:${source})$`;

function compile(source: string): RegExp {
  try {
    new RegExp(source, 'iu');
    return new RegExp(whole(source), 'iu');
  } catch {
    new RegExp(source, 'i'); // alone as well: `a)(b` compiles only inside the group
    return new RegExp(whole(source), 'i');
  }
}
