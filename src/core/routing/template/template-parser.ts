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
import { readParameter, unescapeBraces } from './read-parameter.ts';
import type { Literal, Parameter, RouteTemplate, Segment } from './template.ts';
import { fail, TemplateError } from './template-error.ts';

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
