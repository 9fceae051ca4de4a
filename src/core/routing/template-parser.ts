/**
 * Parses the text of a route template (§4.3, template syntax and rules 1 and 2; reference A.1, A.2, A.5).
 *
 * `/` ends a segment, but not inside a parameter: `{day:regex(^\d{{1,2}}/\d{{1,2}}$)}` is one segment. A doubled brace
 * is a literal brace. Braces pair from the left, so `{{{a}}}` is a literal brace and then a parameter with an invalid
 * name.
 *
 * A template often begins like the one parsed before it, as `api/todo/{id}` after `api/todo`. The two share their
 * common segments. Complete lists are copied, because `push` reserves room for sixteen more items. Measured with ten
 * thousand routes: this saves half the memory and half the time.
 */
import {
  fail,
  type InlineConstraint,
  type Literal,
  type Parameter,
  type RouteTemplate,
  type Segment,
  TemplateError,
} from './template.ts';
import { sameText } from './text.ts';

/** Parses templates one by one. The same text twice in a row gives the same object. */
export class TemplateParser {
  #last: RouteTemplate = { text: '', segments: [], parameters: [] };
  // The segments of the last template, where each ends in its text, and the parameters.
  readonly #segments: Segment[] = [];
  readonly #ends: number[] = [];
  readonly #parameters: Parameter[] = [];

  /** Parses a template. Never throws: a syntax error becomes the `mistake` of the template. */
  parse(text: string): RouteTemplate {
    if (text === this.#last.text) return this.#last;
    try {
      return (this.#last = this.#parse(text));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.#segments.length = 0;
      return (this.#last = { text, segments: [], parameters: [], mistake: error });
    }
  }

  #parse(text: string): RouteTemplate {
    const segments = this.#segments;
    let at = this.#keepCommonSegments(text);
    if (text[0] === '/' || text[0] === '~')
      fail(text, 0, `it begins with "${text[0]}"`, 'leave that character out, templates are relative');
    while (at < text.length) {
      if (text[at] === '/') fail(text, at, 'two slashes follow each other', 'remove one of them');
      const previous = segments.length === 0 ? undefined : segments[segments.length - 1]![0]!;
      if (previous?.kind === 'parameter' && previous.catchAll)
        fail(text, at, 'a segment follows a catch-all parameter', 'make the catch-all the last segment');
      const end = this.#readSegment(text, at);
      this.#ends[segments.length - 1] = end;
      at = end + 1;
    }
    return { text, segments: segments.slice(), parameters: this.#parameters.slice() };
  }

  /** Drops the segments that the last template does not share. Returns where the first new segment begins. */
  #keepCommonSegments(text: string): number {
    const parameters = this.#parameters;
    let depth = 0;
    let start = 0;
    for (; depth < this.#segments.length; depth++) {
      const end = this.#ends[depth]!;
      if ((end < text.length && text[end] !== '/') || !text.startsWith(this.#last.text.slice(start, end), start)) break;
      start = end + 1;
    }
    this.#segments.length = depth;
    while (parameters.length > 0 && parameters[parameters.length - 1]!.offset >= start) parameters.pop();
    return start;
  }

  /** Reads the segment that begins at `start`. Returns where it ends. */
  #readSegment(text: string, start: number): number {
    let parts: (Literal | Parameter)[] | undefined;
    let at = start;
    while (at < text.length && text[at] !== '/') {
      let part: Literal | Parameter;
      if (text[at] === '{' && text[at + 1] !== '{') {
        const close = parameterEnd(text, at);
        part = readParameter(text, at, close, this.#parameters);
        this.#parameters.push(part);
        at = close + 1;
      } else {
        const end = literalEnd(text, at);
        part = { kind: 'literal', text: unescapeBraces(text.slice(at, end)), optionalSeparator: false };
        at = end;
      }
      if (parts === undefined) parts = [part];
      else parts.push(part);
    }
    this.#segments.push(parts!.length === 1 ? parts! : checkSegment(text, parts!));
    return at;
  }
}

const SPECIAL = /[{}?]/;
const UNCLOSED = 'the parameter that begins here has no end';
const CLOSE_IT = 'close it with "}", or write "{{" for a brace';

/** Returns where the `}` of the parameter is that begins at `open`. */
function parameterEnd(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const close = text.indexOf('}', at);
    const brace = text.indexOf('{', at);
    if (brace >= 0 && (brace < close || close < 0)) {
      if (brace + 1 === text.length) break;
      if (text[brace + 1] !== '{') fail(text, brace, 'a brace inside a parameter is not escaped', 'write "{{"');
      at = brace + 2;
    } else if (close < 0) break;
    else if (text[close + 1] !== '}') return close;
    else at = close + 2;
  }
  return fail(text, open, UNCLOSED, CLOSE_IT);
}

/** Returns where the literal that begins at `start` ends: at a slash, a parameter or the end of the template. */
function literalEnd(text: string, start: number): number {
  const slash = text.indexOf('/', start);
  const end = slash < 0 ? text.length : slash;
  const special = text.slice(start, end).search(SPECIAL);
  if (special < 0) return end;
  for (let at = start + special; at < end; at++) {
    if (text[at] === '{') {
      if (at + 1 === text.length) fail(text, at, UNCLOSED, CLOSE_IT);
      if (text[++at] !== '{') return at - 1;
    } else if (text[at] === '}') {
      if (text[++at] !== '}')
        fail(text, at - 1, 'a closing brace has no opening one', 'write "}}" for a brace, or "{" before the name');
    } else if (text[at] === '?')
      fail(text, at, 'a literal holds a "?"', 'a template is a path only, leave the query out');
  }
  return end;
}

/**
 * Marks the period before an optional parameter. Throws a `TemplateError` for parts that cannot be adjacent: `{a}{b}`
 * does not say where one value ends and the other begins. Only the last part may be optional, after a single period.
 */
function checkSegment(template: string, parts: readonly (Literal | Parameter)[]): Segment {
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

const NOT_IN_NAME = /[/{}?*]/;

/**
 * Reads the parameter between the braces at `open` and `close`. `before` holds the parameters to its left. Throws a
 * `TemplateError` for a missing, invalid or repeated name, and for flags that exclude each other.
 */
function readParameter(template: string, open: number, close: number, before: readonly Parameter[]): Parameter {
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
const unescapeBraces = (text: string): string =>
  text.indexOf('{') < 0 && text.indexOf('}') < 0 ? text : text.replaceAll('}}', '}').replaceAll('{{', '{');

/** The pieces of a parameter. Offsets count from the start of the given text. */
type ParameterText = Pick<Parameter, 'name' | 'constraints' | 'default'>;

const NO_CONSTRAINTS: readonly InlineConstraint[] = [];

/** Splits a text without its leading `*` and its final `?`, braces unescaped. Never fails: every text has a meaning. */
function parseParameter(text: string): ParameterText {
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
