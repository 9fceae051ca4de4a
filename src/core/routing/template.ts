/**
 * Parses route templates, and declares the types of their values (§4.3, template syntax and rules 1 and 2; reference
 * A.1–A.3, A.5).
 *
 * `files/{filename}.{ext?}` has two segments: a literal, and a segment of three parts. The last part is optional.
 */
import { foldCase } from '../http/text.ts';
import { encode } from './encode.ts';

/** Text that a path must have, ignoring case. Doubled braces are already replaced by single ones. */
export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
  /** The text for comparisons, which ignore case. */
  readonly key: string;
  /** The text in a link. */
  readonly encoded: string;
}

/** A constraint as written in the template, such as `range(1,5)`. */
interface InlineConstraint {
  readonly text: string;
  readonly offset: number;
}

/** A named part that captures a value. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly name: string;
  /** The name for comparisons, which ignore case. */
  readonly key: string;
  readonly catchAll: boolean;
  readonly optional: boolean;
  /** The value if the path has none. It may be the empty text. */
  readonly default: string | undefined;
  readonly constraints: readonly InlineConstraint[];
  /** The start of the name in the template, in UTF-16 units. */
  readonly offset: number;
  /** The index of the segment that contains the parameter. */
  readonly depth: number;
}

/** The parts between two slashes. Two parameters are never adjacent. */
export type Segment = readonly (Literal | Parameter)[];

/** A parsed template. A template with a `mistake` has no segments, and `RouteCollection.add` rejects it. */
export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly parameters: readonly Parameter[];
  readonly mistake?: TemplateError | undefined;
}

/**
 * A mistake in a route: the cause, the remedy, and the template with a caret below the mistake. `RouteCollection.add`
 * throws the mistakes of all added routes together in one `AggregateError`.
 */
export class TemplateError extends SyntaxError {
  readonly template: string;
  /** The place of the mistake in the template, in UTF-16 units from 0. */
  readonly offset: number;
  readonly problem: string;
  readonly remedy: string;

  constructor(template: string, offset: number, problem: string, remedy: string, options?: ErrorOptions) {
    const line = template.replaceAll(/[\r\n\t]/g, ' ');
    super(`Cannot add route "${template}": ${problem}; ${remedy}\n  ${line}\n  ${' '.repeat(offset)}^`, options);
    this.name = 'TemplateError';
    this.template = template;
    this.offset = offset;
    this.problem = problem;
    this.remedy = remedy;
  }
}

/**
 * Parses a template. Never throws: a syntax error becomes the `mistake` of the template, which `RouteCollection.add`
 * reports.
 */
export function parseTemplate(text: string): RouteTemplate {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { text, segments: [], parameters: [], mistake: error };
  }
}

/** A doubled brace is a literal brace; braces pair from the left. A slash inside a parameter is not a separator. */
const PIECE =
  /(?<slash>\/)|(?<literal>(?:[^{}?/]|\{\{|\}\})+)|\{(?<inside>(?:[^{}]|\{\{|\}\})*)(?<end>\}?)|(?<wrong>[}?])/g;

function parsed(text: string): RouteTemplate {
  const segments: Segment[] = [];
  const parameters: Parameter[] = [];
  let parts: Segment[number][] = [];
  const fail = (offset: number, problem: string, remedy: string): never => {
    throw new TemplateError(text, offset, problem, remedy);
  };
  const endSegment = (): void => {
    assertSegment(parts, fail);
    segments.push(parts);
    parts = [];
  };
  if (/^[/~]/.test(text)) fail(0, `it begins with "${text[0]}"`, 'leave that character out, templates are relative');
  for (const { index, groups } of text.matchAll(PIECE)) {
    const { slash, literal, inside, end, wrong } = groups!;
    if (slash) {
      if (parts.length === 0) fail(index, 'two slashes follow each other', 'remove one of them');
      endSegment();
      continue;
    }
    if (parts.length === 0 && parameters.at(-1)?.catchAll)
      fail(index, 'a segment follows a catch-all parameter', 'make the catch-all the last segment');
    if (wrong === '?') fail(index, 'a literal holds a "?"', 'a template is a path only, leave the query out');
    if (wrong) fail(index, 'a closing brace has no opening brace', 'write "}}" for a brace, or "{" before the name');
    if (literal) {
      const plain = withoutDoubling(literal);
      parts.push({ kind: 'literal', text: plain, key: foldCase(plain), encoded: encode(plain) });
      continue;
    }
    const brace = index + 1 + inside!.length;
    if (!end && brace + 1 < text.length) fail(brace, 'a brace inside a parameter is not escaped', 'write "{{"');
    if (!end) fail(index, 'the parameter that begins here has no end', 'close it with "}", or write "{{" for a brace');
    const parameter = readParameter(inside!, index, segments.length, fail);
    if (parameters.some(({ key }) => key === parameter.key)) {
      const problem = `the parameter "${parameter.name}" appears twice`;
      fail(parameter.offset, problem, 'rename one of them, case makes no difference');
    }
    parameters.push(parameter);
    parts.push(parameter);
  }
  if (parts.length > 0) endSegment();
  return { text, segments, parameters };
}

type Fail = (offset: number, problem: string, remedy: string) => never;

const withoutDoubling = (text: string): string => text.replace(/\{\{|\}\}/g, (pair) => pair[0]!);

/**
 * Fails for an invalid segment. Parameters such as `{a}{b}` cannot be adjacent, because the end of the first value is
 * unknown. Only the last of several parts may be optional. This part must follow a single period, which is omitted
 * together with the value (§4.3 rule 2).
 */
function assertSegment(parts: Segment, fail: Fail): void {
  if (parts.length === 1) return;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal') continue;
    const { name, offset, catchAll, optional } = part;
    const before = parts[index - 1];
    if (catchAll) fail(offset, `the catch-all parameter "${name}" shares its segment`, 'give it a separate segment');
    if (optional && index < parts.length - 1) {
      const problem = `the optional parameter "${name}" is not the last part of its segment`;
      fail(offset, problem, 'move it to the end or leave the "?" out');
    }
    if (optional && (before?.kind !== 'literal' || before.text !== '.')) {
      const problem = `the optional parameter "${name}" does not follow a single period`;
      fail(offset, problem, 'put just "." before it, or give it a separate segment');
    }
    if (before?.kind === 'parameter')
      fail(offset - 1, `parameters "${before.name}" and "${name}" touch`, 'put a literal between them');
  }
}

/** Parses the text between the braces: a name, any number of `:constraint`, and at most one `=default`. */
function readParameter(inside: string, open: number, depth: number, fail: Fail): Parameter {
  const catchAll = inside.startsWith('*');
  const optional = inside.endsWith('?');
  const text = inside.slice(Number(catchAll), inside.length - Number(optional));
  const offset = open + 1 + Number(catchAll);
  // The first character always belongs to the name.
  const written = /^[^]?[^:=]*/.exec(text)![0];
  const name = withoutDoubling(written);
  const constraints: InlineConstraint[] = [];
  // If the name ends with a separator or a parenthesis, this character also begins a constraint (A.3.8).
  let at = /[(:=]$/.test(written) && written !== text ? written.length - 1 : written.length;
  while (at < text.length && text[at] !== '=') {
    const start = text[at] === ':' ? at + 1 : at;
    at = constraintEnd(text, start);
    constraints.push({ text: withoutDoubling(text.slice(start, at)), offset: offset + start });
  }
  const fallback = text[at] === '=' ? withoutDoubling(text.slice(at + 1)) : undefined;
  if (catchAll && optional)
    fail(open, `the catch-all parameter "${name}" is optional`, 'leave the "?" out, a catch-all may be empty anyway');
  if (optional && fallback !== undefined)
    fail(open, `the optional parameter "${name}" has a default`, 'leave out the "?" or the default');
  if (name === '') fail(offset, 'a parameter has no name', 'give it one');
  const wrong = /[/{}?*]/.exec(name)?.[0];
  if (wrong !== undefined) {
    const remedy = wrong === '?' ? 'put the "?" last, before the brace' : 'choose another name';
    fail(offset, `the parameter name "${name}" holds a "${wrong}"`, remedy);
  }
  return {
    kind: 'parameter',
    name,
    key: foldCase(name),
    catchAll,
    optional,
    default: fallback,
    constraints,
    offset,
    depth,
  };
}

/**
 * Returns the end of the constraint that begins at `start`: the next `:` or `=`, unless a `(` begins an argument before
 * it. The argument ends at the `)` that balances this `(`, so `{t:regex(^\d\d:\d\d$):length(5)}` has two constraints
 * (D25). If no `)` balances the `(`, as in `{a:regex(a)b)}`, the argument ends at the first `)` before a `:`, a `=`
 * or the end.
 */
function constraintEnd(text: string, start: number): number {
  const [plain] = /^[^:=(]*/.exec(text.slice(start))!;
  const open = start + plain.length;
  if (text[open] !== '(') return open;
  const ends = [...text.matchAll(/\)(?=[:=]|$)/g)].map(({ index }) => index + 1).filter((end) => end > open);
  const separator = open + text.slice(open).search(/[:=]|$/);
  return ends.find((end) => isBalanced(text.slice(open, end))) ?? ends[0] ?? separator;
}

/** True if the text has as many `(` as `)`, ignoring escapes and character classes. */
function isBalanced(text: string): boolean {
  const parentheses = text.replaceAll(/\\.?|\[(?:\\.|[^\]\\])*\]?|[^()]/gs, '');
  return parentheses.length === 2 * parentheses.replaceAll('(', '').length;
}

/** The type of the values that a handler gets for this template. An escaped brace can add a name to the type. */
export type ValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, string>>
  : Values<ParameterTexts<Template>>;

/**
 * The values with the types of their constraints: `{id:int}` is a number, `{id:long}` and `{n:range(1,5)}` are bigints,
 * `{on:bool}` is a boolean, any other value is a text.
 */
export type TypedValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, TypedValue>>
  : Values<ParameterTexts<Template>, true>;

/** A route value with the type of its constraint. */
export type TypedValue = string | number | bigint | boolean;

/** The texts between the braces, as a union. */
type ParameterTexts<Text extends string> = Text extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | ParameterTexts<Rest>
  : never;
/** The parameters that a link may omit: optional parameters, parameters with a default, and catch-alls. */
export type OmissibleOf<Template extends string> = string extends Template
  ? string
  : NameOf<Extract<ParameterTexts<Template>, `${string}?` | `*${string}` | `${string}=${string}`>>;
type Optional<Parameter extends string> = Parameter extends `${string}?` ? Parameter : never;
type Values<Parameter extends string, Typed = false> = {
  readonly [Part in Exclude<Parameter, Optional<Parameter>> as NameOf<Part>]: ValueOf<Part, Typed>;
} & { readonly [Part in Optional<Parameter> as NameOf<Part>]?: ValueOf<Part, Typed> };
type ValueOf<Parameter extends string, Typed> = Typed extends true ? TypeOf<ConstraintsOf<Parameter>> : string;
type NameOf<Parameter extends string> = Parameter extends `*${infer Rest}`
  ? NameOf<Rest>
  : Before<Before<Before<Parameter, ':'>, '='>, '?'>;
type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}` ? Head : Text;
/** The names of the constraints of a parameter, as a union in lower case. */
type ConstraintsOf<Parameter extends string> = Parameter extends `${string}:${infer List}`
  ? NamesIn<Before<List, '='>>
  : never;
type NamesIn<List extends string> = List extends `${infer Head}(${infer Rest}`
  ? NamesIn<Head> | NamesIn<AfterArgument<Rest>>
  : List extends `${infer First}:${infer Rest}`
    ? Lowercase<First> | NamesIn<Rest>
    : Lowercase<Before<List, '?'>>;
/** A plain argument ends at the first `)`. An expression can contain `)`, so this type ends it at the last `)`. */
type AfterArgument<Text extends string> = Text extends `${infer Argument})${infer Rest}`
  ? Argument extends `${string}${'(' | '[' | '\\'}${string}`
    ? AfterLast<Rest>
    : Rest
  : '';
type AfterLast<Text extends string> = Text extends `${string})${infer Rest}` ? AfterLast<Rest> : Text;
/** The type of a value with these constraints: number if a constraint requires it, else bigint, boolean or string. */
type TypeOf<Names> = Names & ('int' | 'float' | 'double' | 'decimal') extends never
  ? Names & ('long' | 'min' | 'max' | 'range') extends never
    ? Names & 'bool' extends never
      ? string
      : boolean
    : bigint
  : number;
