/**
 * Splits the text between the braces of a parameter: a name, any number of `:constraint`, at most one `=default`.
 *
 * The argument of a constraint ends at the `)` that balances its `(`; escapes and character classes are skipped (D25).
 * So `{t:regex(^\d\d:\d\d$):length(5)}` has two constraints although the first contains a colon. Where no `)` balances,
 * as in `{a:regex(a)b)}` and `{a:test(x:int}`, the rules of reference A.3 decide.
 */
import type { InlineConstraint, Parameter } from './template.ts';

/** The pieces of a parameter. Offsets count from the start of the given text. */
type ParameterText = Pick<Parameter, 'name' | 'constraints' | 'default'>;

const NO_CONSTRAINTS: readonly InlineConstraint[] = [];

/** Splits a text without its leading `*` and its final `?`, braces unescaped. Never fails: every text has a meaning. */
export function parseParameter(text: string): ParameterText {
  const end = nameEnd(text);
  if (end === text.length) return { name: text, constraints: NO_CONSTRAINTS, default: undefined };
  const constraints: InlineConstraint[] = [];
  const add = (from: number, to: number): void => void constraints.push({ text: text.slice(from, to), offset: from });
  // Starts at the last character of the name, which may itself be a parenthesis or a separator (A.3.8).
  let at = end - 1;
  let from = at;
  let state: 'between' | 'name' | 'argument' = 'between';
  for (;;) {
    const character = text[at];
    if (state === 'between') {
      if (character === undefined || character === '=') break;
      if (character === ':') {
        state = 'name';
        from = at + 1;
      } else if (character === '(') state = 'argument';
    } else if (character === undefined) {
      add(from, at);
      break;
    } else if (state === 'name') {
      if (character === '(') {
        const close = balancingParenthesis(text, at);
        if (close > 0) {
          add(from, close + 1);
          state = 'between';
          at = close;
        } else state = 'argument';
      } else if (character === ':') {
        add(from, at);
        from = at + 1;
      } else if (character === '=') {
        add(from, at);
        break;
      }
    } else if (character === ')') {
      if (endsConstraint(text, at)) {
        add(from, at + 1);
        state = 'between';
      }
    } else if (character === ':' || character === '=') {
      const close = text.indexOf(')', at + 1);
      if (close >= 0) at = close;
      else {
        add(from, at);
        if (character === '=') break;
        state = 'name';
        from = at + 1;
      }
    }
    at++;
  }
  return {
    name: text.slice(0, end),
    constraints: constraints.length === 0 ? NO_CONSTRAINTS : constraints,
    default: text[at] === '=' ? text.slice(at + 1) : undefined,
  };
}

/** Returns where the name ends: before the first `:` or `=` that is not its first character. */
function nameEnd(text: string): number {
  const colon = text.indexOf(':', 1);
  const equals = text.indexOf('=', 1);
  return Math.min(colon < 0 ? text.length : colon, equals < 0 ? text.length : equals);
}

const endsConstraint = (text: string, close: number): boolean =>
  close === text.length - 1 || text[close + 1] === ':' || text[close + 1] === '=';

/** Returns where the `)` is that balances the `(` at `open`, or -1 if no constraint can end there. */
function balancingParenthesis(text: string, open: number): number {
  let depth = 0;
  let inClass = false;
  for (let at = open; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return endsConstraint(text, at) ? at : -1;
  }
  return -1;
}
