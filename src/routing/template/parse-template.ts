/**
 * Template text → `RouteTemplate` (§4.3, template syntax; reference A.1, A.2, A.5).
 *
 * `/` ends a segment, but not inside a parameter: `{day:regex(^\d{{1,2}}/\d{{1,2}}$)}` is one. Braces are doubled to stand for
 * themselves, and pairs are read from the left, so `{{{a}}}` is a literal brace and then a parameter with an impossible name.
 *
 * The shape is odd for memory and start-up. A template begins where the one before it began as a rule, `api/todo/{id}` behind
 * `api/todo`, so what both have in common is read once and shared. And lists are copied when they are complete: one that grew by
 * `push` keeps room for sixteen more. For ten thousand routes the two save half the memory and half the time.
 */

import { sameText } from '../text/fold-case.ts';
import { checkSegment } from './check-segment.ts';
import { parseParameter } from './parse-parameter.ts';
import type { Literal, Parameter, RouteTemplate, Segment } from './template.ts';
import { fail, TemplateError } from './template-error.ts';

/** Parses a template. Never throws: what is wrong with it is its `mistake`. */
export function parseTemplate(text: string): RouteTemplate {
  if (text === last.text) return last;
  try {
    return (last = readTemplate(text));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    segments.length = 0;
    return (last = { text, segments: [], parameters: [], mistake: error });
  }
}

// Made once: one that is written where it is used is made each time.
const SPECIAL = /[{}?]/,
  WRONG = /[/{}?*]/;

// The last template, its segments and where each ends, and its parameters. Parsing does not call back, so one is enough.
let last: RouteTemplate = { text: '', segments: [], parameters: [] };
const segments: Segment[] = [],
  ends: number[] = [],
  parameters: Parameter[] = [];

function readTemplate(text: string): RouteTemplate {
  let at = keepCommon(text);
  if (text[0] === '/' || text[0] === '~')
    fail(text, 0, `it begins with "${text[0]}"`, 'leave that character out, templates are relative');
  while (at < text.length) {
    if (text[at] === '/') fail(text, at, 'two slashes follow each other', 'remove one of them');
    const before = segments.length === 0 ? undefined : segments[segments.length - 1]![0]!;
    if (before?.kind === 'parameter' && before.catchAll)
      fail(text, at, 'a segment follows a catch-all parameter', 'make the catch-all the last segment');
    const end = readSegment(text, at);
    ends[segments.length - 1] = end;
    at = end + 1;
  }
  return { text, segments: segments.slice(), parameters: parameters.slice() };
}

/** Keeps the segments that this template begins with like the last; gives back where the next one begins. */
function keepCommon(text: string): number {
  let depth = 0,
    at = 0;
  for (; depth < segments.length; depth++) {
    const end = ends[depth]!;
    if ((end < text.length && text[end] !== '/') || !text.startsWith(last.text.slice(at, end), at)) break;
    at = end + 1;
  }
  segments.length = depth;
  while (parameters.length > 0 && parameters[parameters.length - 1]!.offset >= at) parameters.pop();
  return at;
}

/** Reads the segment that begins at `start`; gives back where it ends. */
function readSegment(text: string, start: number): number {
  let parts: (Literal | Parameter)[] | undefined;
  let at = start;
  while (at < text.length && text[at] !== '/') {
    let part: Literal | Parameter;
    if (text[at] === '{' && text[at + 1] !== '{') {
      const close = parameterEnd(text, at);
      part = readParameter(text, at, close);
      parameters.push(part);
      at = close + 1;
    } else {
      const end = literalEnd(text, at);
      part = readLiteral(text, at, end);
      at = end;
    }
    if (parts === undefined) parts = [part];
    else parts.push(part);
  }
  segments.push(parts!.length === 1 ? parts! : checkSegment(text, parts!));
  return at;
}

/** Where the `}` of the parameter is that opens at `open`. */
function parameterEnd(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const close = text.indexOf('}', at),
      brace = text.indexOf('{', at);
    if (brace >= 0 && (brace < close || close < 0)) {
      if (brace + 1 === text.length) break;
      if (text[brace + 1] !== '{') fail(text, brace, 'a brace inside a parameter is not escaped', 'write "{{"');
      at = brace + 2;
    } else if (close < 0) break;
    else if (text[close + 1] !== '}') return close;
    else at = close + 2;
  }
  return fail(text, open, 'the parameter that begins here has no end', 'close it with "}", or write "{{" for a brace');
}

function literalEnd(text: string, start: number): number {
  const slash = text.indexOf('/', start),
    end = slash < 0 ? text.length : slash;
  const special = text.slice(start, end).search(SPECIAL);
  if (special < 0) return end;
  for (let at = start + special; at < end; at++) {
    if (text[at] === '{') {
      if (at + 1 === text.length)
        fail(text, at, 'the parameter that begins here has no end', 'close it with "}", or write "{{" for a brace');
      if (text[++at] !== '{') return at - 1;
    } else if (text[at] === '}') {
      if (text[++at] !== '}')
        fail(text, at - 1, 'a closing brace has no opening one', 'write "}}" for a brace, or "{" before the name');
    } else if (text[at] === '?')
      fail(text, at, 'a literal holds a "?"', 'a template is a path only, leave the query out');
  }
  return end;
}

const unescaped = (text: string): string =>
  text.indexOf('{') < 0 && text.indexOf('}') < 0 ? text : text.replaceAll('}}', '}').replaceAll('{{', '{');

const readLiteral = (template: string, start: number, end: number): Literal => ({
  kind: 'literal',
  text: unescaped(template.slice(start, end)),
  optionalSeparator: false,
});

function readParameter(template: string, open: number, close: number): Parameter {
  const raw = template.slice(open + 1, close),
    text = unescaped(raw);
  const catchAll = text[0] === '*',
    optional = text.endsWith('?');
  const first = catchAll ? 1 : 0,
    offset = open + 1 + first;
  const inside = parseParameter(text.slice(first, optional ? Math.max(first, text.length - 1) : text.length));
  const { name } = inside;
  if (catchAll && optional)
    fail(
      template,
      open,
      `the catch-all parameter "${name}" is optional`,
      'leave the "?" out, a catch-all may be empty anyway',
    );
  if (optional && inside.default !== undefined)
    fail(template, open, `the optional parameter "${name}" has a default`, 'leave out the "?" or the default');
  if (name === '') fail(template, offset, 'a parameter has no name', 'give it one');
  const wrong = name.search(WRONG);
  if (wrong >= 0)
    fail(
      template,
      offset,
      `the parameter name "${name}" holds a "${name[wrong]}"`,
      name[wrong] === '?' ? 'put the "?" last, before the brace' : 'choose another name',
    );
  for (let at = 0; at < parameters.length; at++) {
    if (sameText(parameters[at]!.name, name))
      fail(template, offset, `the parameter "${name}" is there twice`, 'rename one of them, case makes no difference');
  }
  const { constraints } = inside;
  return {
    kind: 'parameter',
    name,
    catchAll,
    optional,
    offset,
    default: inside.default,
    constraints:
      constraints.length === 0
        ? constraints
        : constraints.map((one) => ({ text: one.text, offset: open + 1 + rawPosition(raw, first + one.offset) })),
  };
}

/** A position in the unescaped text as one in the text with its doubled braces. */
function rawPosition(raw: string, position: number): number {
  let at = 0;
  for (let seen = 0; seen < position; seen++)
    at += (raw[at] === '{' || raw[at] === '}') && raw[at + 1] === raw[at] ? 2 : 1;
  return at;
}
