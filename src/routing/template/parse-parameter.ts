/**
 * What stands between the braces of a parameter: `name`, then any number of `:constraint`, then at most one `=default`.
 *
 * The hard part is where a constraint's argument ends. `{t:regex(^\d\d:\d\d$):length(5)}` has two constraints although there is a
 * colon inside the first: an argument ends at the `)` that balances its `(`, escapes and character classes respected (D25).
 * Where nothing balances, as in `{a:regex(a)b)}` or `{a:test(x:int}`, reading goes on as reference A.3 has it.
 */

/** The parts of a parameter; positions are those in the text that was given. */
export interface ParameterText {
  readonly name: string;
  readonly constraints: readonly { readonly text: string; readonly offset: number }[];
  readonly default: string | undefined;
}

const NONE: ParameterText['constraints'] = [];

/** Reads the text of a parameter, its braces unescaped and its `*` and `?` taken off. Never fails: any text means something. */
export function parseParameter(text: string): ParameterText {
  const end = nameEnd(text);
  if (end === text.length) return { name: text, constraints: NONE, default: undefined };
  const constraints: { text: string; offset: number }[] = [];
  const keep = (from: number, to: number): void => void constraints.push({ text: text.slice(from, to), offset: from });
  // Reading starts at the last character of the name, which may be a parenthesis or a separator itself (A.3.8).
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
      keep(from, at);
      break;
    } else if (state === 'name') {
      if (character === '(') {
        const close = balancingParenthesis(text, at);
        if (close > 0) {
          keep(from, close + 1);
          state = 'between';
          at = close;
        } else state = 'argument';
      } else if (character === ':') {
        keep(from, at);
        from = at + 1;
      } else if (character === '=') {
        keep(from, at);
        break;
      }
    } else if (character === ')') {
      if (endsConstraint(text, at)) {
        keep(from, at + 1);
        state = 'between';
      }
    } else if (character === ':' || character === '=') {
      const close = text.indexOf(')', at + 1);
      if (close >= 0) at = close;
      else {
        keep(from, at);
        if (character === '=') break;
        state = 'name';
        from = at + 1;
      }
    }
    at++;
  }
  return {
    name: text.slice(0, end),
    constraints: constraints.length ? constraints : NONE,
    default: text[at] === '=' ? text.slice(at + 1) : undefined,
  };
}

/** A name ends before the first `:` or `=` that is not its first character. */
function nameEnd(text: string): number {
  const colon = text.indexOf(':', 1),
    equals = text.indexOf('=', 1);
  return Math.min(colon < 0 ? text.length : colon, equals < 0 ? text.length : equals);
}

const endsConstraint = (text: string, close: number): boolean =>
  close === text.length - 1 || text[close + 1] === ':' || text[close + 1] === '=';

/** The `)` that balances the `(` at `open`, if the constraint can end there; else -1. */
function balancingParenthesis(text: string, open: number): number {
  let depth = 0,
    inClass = false;
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
