/**
 * Parses the text of a route template (§4.3, template syntax and rules 1 and 2; reference A.1–A.3, A.5).
 *
 * `/` ends a segment, but not inside a parameter: `{day:regex(^\d{{1,2}}/\d{{1,2}}$)}` is one segment. A doubled brace
 * is a literal brace. Braces pair from the left, so `{{{a}}}` is a literal brace and then a parameter with an invalid
 * name.
 *
 * A template often begins like the one parsed before it, as `api/todo/{id}` after `api/todo`: they share the segments.
 * Complete lists are copied, because `push` reserves room for sixteen more. With ten thousand routes both together
 * save a quarter of the memory, and a match finds more of it in the cache.
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

let last: RouteTemplate = { text: '', segments: [], parameters: [] };

/**
 * Parses a template. Never throws: a syntax error becomes the `mistake` of the template, which `RouteCollection.add`
 * reports. The same text twice in a row, as for several methods of one path, gives the same object.
 */
export function parseTemplate(text: string): RouteTemplate {
  if (text === last.text) return last;
  try {
    return (last = parsed(text));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return (last = { text, segments: [], parameters: [], mistake: error });
  }
}

const LITERAL = /(?:[^{}?/]|\{\{|\}\})*/y;
const PARAMETER = /\{(?:[^{}]|\{\{|\}\})*/y;

function parsed(text: string): RouteTemplate {
  const segments: Segment[] = [];
  const parameters: Parameter[] = [];
  if (text[0] === '/' || text[0] === '~')
    fail(text, 0, `it begins with "${text[0]}"`, 'leave that character out, templates are relative');
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '/') fail(text, at, 'two slashes follow each other', 'remove one of them');
    const previous = segments.at(-1)?.[0];
    if (previous?.kind === 'parameter' && previous.catchAll)
      fail(text, at, 'a segment follows a catch-all parameter', 'make the catch-all the last segment');
    const parts: (Literal | Parameter)[] = [];
    while (at < text.length && text[at] !== '/') {
      const isParameter = text[at] === '{' && text[at + 1] !== '{';
      const end = isParameter ? parameterEnd(text, at) : literalEnd(text, at);
      if (isParameter) {
        const parameter = readParameter(text, at, end, parameters);
        parameters.push(parameter);
        parts.push(parameter);
      } else parts.push({ kind: 'literal', text: withoutDoubling(text.slice(at, end)), optionalSeparator: false });
      at = isParameter ? end + 1 : end;
    }
    const segment = parts.length === 1 ? parts.slice() : checkedSegment(text, parts);
    const isShared = last.text.startsWith(text.slice(0, at)) && (last.text[at] ?? '/') === '/';
    segments.push((isShared && last.segments[segments.length]) || segment);
  }
  return { text, segments: segments.slice(), parameters: segments.flat().filter((part) => part.kind === 'parameter') };
}

/** Returns where a match of the expression ends that begins at `at`. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  expression.test(text);
  return expression.lastIndex;
}

/** Returns where the `}` of the parameter is that begins at `open`. */
function parameterEnd(text: string, open: number): number {
  const end = endOf(PARAMETER, text, open);
  if (text[end] === '}') return end;
  if (text[end] === '{' && end + 1 < text.length)
    fail(text, end, 'a brace inside a parameter is not escaped', 'write "{{"');
  return fail(text, open, 'the parameter that begins here has no end', 'close it with "}", or write "{{" for a brace');
}

/** Returns where the literal that begins at `start` ends: at a slash, a parameter or the end of the template. */
function literalEnd(text: string, start: number): number {
  const end = endOf(LITERAL, text, start);
  if (text[end] === '}')
    fail(text, end, 'a closing brace has no opening one', 'write "}}" for a brace, or "{" before the name');
  if (text[end] === '?') fail(text, end, 'a literal holds a "?"', 'a template is a path only, leave the query out');
  return end;
}

/** Runs of braces pair from the left. */
const withoutDoubling = (text: string): string => text.replace(/\{\{|\}\}/g, (pair) => pair[0]!);

/**
 * Marks the period before an optional parameter. Throws a `TemplateError` for parts that cannot be adjacent: `{a}{b}`
 * does not say where one value ends and the other begins. Only the last part may be optional, after a single period.
 */
function checkedSegment(template: string, parts: readonly (Literal | Parameter)[]): Segment {
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal') continue;
    const { name, offset, catchAll, optional } = part;
    const before = parts[index - 1];
    const refuse = (problem: string, remedy: string): never => fail(template, offset, problem, remedy);
    if (catchAll) refuse(`the catch-all parameter "${name}" shares its segment`, 'give it a segment of its own');
    if (optional && index < parts.length - 1)
      refuse(
        `the optional parameter "${name}" is not the last part of its segment`,
        'move it to the end or leave the "?" out',
      );
    if (optional && (before?.kind !== 'literal' || before.text !== '.'))
      refuse(
        `the optional parameter "${name}" does not follow a single period`,
        'put just "." before it, or give it a segment of its own',
      );
    if (before?.kind === 'parameter')
      fail(template, offset - 1, `parameters "${before.name}" and "${name}" touch`, 'put a literal between them');
  }
  const end = parts.at(-1)!;
  return end.kind === 'parameter' && end.optional
    ? parts.with(-2, { ...(parts.at(-2) as Literal), optionalSeparator: true })
    : parts.slice();
}

const NOT_IN_NAME = /[/{}?*]/;

/**
 * Reads the parameter between the braces at `open` and `close`: a name, any number of `:constraint`, at most one
 * `=default`. `before` holds the parameters to its left. Throws a `TemplateError` for a missing, invalid or repeated
 * name, and for flags that exclude each other.
 */
function readParameter(template: string, open: number, close: number, before: readonly Parameter[]): Parameter {
  const catchAll = template[open + 1] === '*';
  const optional = template[close - 1] === '?';
  const offset = open + (catchAll ? 2 : 1);
  const text = template.slice(offset, optional ? close - 1 : close);
  // The first character belongs to the name, whatever it is.
  const nameEnd = text.length < 2 ? text.length : separatorFrom(text, 1);
  const name = withoutDoubling(text.slice(0, nameEnd));
  const constraints: InlineConstraint[] = [];
  // A separator or a parenthesis at the end of the name counts as well (A.3.8).
  let at = nameEnd < text.length && /[(:=]/.test(text[nameEnd - 1]!) ? nameEnd - 1 : nameEnd;
  while (at < text.length && text[at] !== '=') {
    const start = text[at] === ':' ? at + 1 : at;
    at = constraintEnd(text, start);
    constraints.push({ text: withoutDoubling(text.slice(start, at)), offset: offset + start });
  }
  const fallback = text[at] === '=' ? withoutDoubling(text.slice(at + 1)) : undefined;
  if (catchAll && optional)
    fail(
      template,
      open,
      `the catch-all parameter "${name}" is optional`,
      'leave the "?" out, a catch-all may be empty anyway',
    );
  if (optional && fallback !== undefined)
    fail(template, open, `the optional parameter "${name}" has a default`, 'leave out the "?" or the default');
  if (name === '') fail(template, offset, 'a parameter has no name', 'give it one');
  const wrong = NOT_IN_NAME.exec(name)?.[0];
  if (wrong !== undefined) {
    const remedy = wrong === '?' ? 'put the "?" last, before the brace' : 'choose another name';
    fail(template, offset, `the parameter name "${name}" holds a "${wrong}"`, remedy);
  }
  if (before.some((one) => sameText(one.name, name)))
    fail(template, offset, `the parameter "${name}" is there twice`, 'rename one of them, case makes no difference');
  return { kind: 'parameter', name, catchAll, optional, offset, default: fallback, constraints: constraints.slice() };
}

/** Returns where the next `:` or `=` is, or the end of the text. */
function separatorFrom(text: string, start: number): number {
  const found = text.slice(start).search(/[:=]/);
  return found < 0 ? text.length : start + found;
}

/**
 * Returns where the constraint ends that begins at `start`. An argument ends at the `)` that balances its `(`; escapes
 * and character classes are skipped (D25). So `{t:regex(^\d\d:\d\d$):length(5)}` has two constraints although the first
 * contains a colon. Where no `)` balances, as in `{a:regex(a)b)}`, the first one counts that can end a constraint.
 */
function constraintEnd(text: string, start: number): number {
  const separator = separatorFrom(text, start);
  const open = text.indexOf('(', start);
  if (open < 0 || open > separator) return separator;
  let depth = 0;
  for (const { 0: token, index } of text.slice(open).matchAll(/\\.?|\[(?:\\.|[^\]\\])*\]?|[()]/gs)) {
    if (token === '(') depth++;
    if (token !== ')' || --depth > 0) continue;
    const end = open + index + 1;
    if (end === text.length || end === separatorFrom(text, end)) return end;
    break;
  }
  const close = text.slice(open).search(/\)(?=[:=]|$)/);
  return close < 0 ? separator : open + close + 1;
}
