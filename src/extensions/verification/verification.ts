/**
 * Checks every reply against the description, for development and for tests (`--verify-description`). An error that no
 * operation declares must be a problem with every member (D10, D14). A mismatch is a 500 and a line in the log.
 */
import { Readable } from 'node:stream';
import { after } from '../../extending.ts';
import { contentTypeOf, statusText } from '../../http.ts';
import {
  headerOf,
  type Operation,
  type Plugin,
  type Problem,
  type Reply,
  type ResponseDeclaration,
  type Schema,
  type Stage,
  type Violation,
} from '../../index.ts';
import {
  checkValue,
  formatsOf,
  type OperationSettings,
  operationOf,
  PROBLEM,
  type ProblemFormat,
  type ProblemFormats,
  type PropertyNaming,
  placeReader,
  type RoutedOperation,
  responsesOf,
  rfc9457,
  writtenMediaTypes,
} from '../../operations.ts';

/** The two checks: `plugin` for all errors, `verify` for the replies of operations. */
export interface Verification {
  readonly plugin: Plugin;
  readonly verify: NonNullable<OperationSettings['verify']>;
}

/**
 * The checks for an application with this naming, which writes its problems in this format.
 *
 *     const { plugin, verify } = verification('camelCase');
 *     const composed = application([plugin, todo()], { verify });
 */
export function verification(naming: PropertyNaming, problems?: ProblemFormats): Verification {
  const known = new Set(formatsOf(problems ?? rfc9457));
  const checked = (reply: Reply, formats: ProblemFormats = [...known]): Reply => {
    if (reply.status >= 400) verifyProblem(reply, formats);
    return reply;
  };
  const verification: Stage = (context, next) => after(next(context), (reply) => checked(reply));
  return {
    plugin: {
      name: 'verification',
      outerStages: [verification],
      // An outer stage does not know which operation has matched.
      start({ routes }) {
        for (const route of routes)
          for (const format of formatsOf(operationOf(route)?.problems ?? [])) known.add(format);
      },
    },
    verify(routed, reply) {
      const responses = responsesOf(routed);
      const { status } = reply;
      // What has no ETag still answers a condition, which nobody sends who reads the description.
      const hasTag = Object.keys(responses[200]?.headers ?? {}).some((name) => name.toLowerCase() === 'etag');
      const isOfCondition = routed.operation.method === 'GET' && !hasTag && [304, 412].includes(status);
      const isAllowed = status === 408 || status >= 500 || isOfCondition;
      if (isAllowed && !Object.hasOwn(responses, status)) checked(reply, routed.problems ?? problems ?? rfc9457);
      else verifyReply(routed, reply, naming, problems);
    },
  };
}

/** The headers that a client acts upon. A reply has none of them undeclared. */
const SIGNIFICANT_HEADERS =
  'Location ETag Accept Accept-Encoding Accept-Patch Allow WWW-Authenticate Retry-After'.split(' ');

/** Checks the reply of an operation. Throws an Error that names the operation and every difference. */
export function verifyReply(
  routed: RoutedOperation,
  reply: Reply,
  naming: PropertyNaming,
  problems?: ProblemFormats,
): void {
  const { operation, id } = routed;
  const responses = responsesOf(routed);
  const declaration = responses[reply.status];
  const differences =
    declaration === undefined
      ? [`it declares no ${reply.status}, only ${Object.keys(responses).join(', ')}`]
      : [
          ...headerDifferences(reply, declaration),
          ...bodyDifferences(reply, declaration, operation, naming, routed.problems ?? problems),
        ];
  assertNone(differences, `The operation "${id}" answers ${reply.status} otherwise than it declares`);
}

/** Throws an Error unless an error reply is a problem with every member (D10), or as the application writes it. */
export function verifyProblem(reply: Reply, problems?: ProblemFormats): void {
  assertNone(problemDifferences(reply, problems), `An answer with status ${reply.status} is no problem as described`);
}

function assertNone(differences: readonly string[], subject: string): void {
  if (differences.length > 0) throw new Error(`${subject}: ${differences.join('; ')}`);
}

/** A declared header may be absent unless it is declared with `always`. */
function headerDifferences(reply: Reply, { headers = {} }: ResponseDeclaration): string[] {
  const declared = Object.keys(headers);
  const folded = new Set(declared.map((name) => name.toLowerCase()));
  // The server adds the length of a body that is no stream.
  const isAdded = (name: string): boolean => /^content-length$/i.test(name) && bodyBytes(reply) !== undefined;
  const isSent = (name: string): boolean => headerOf(reply, name) !== undefined || isAdded(name);
  const missing = declared.filter((name) => headers[name]!.always && !isSent(name));
  const undeclared = SIGNIFICANT_HEADERS.filter((name) => isSent(name) && !folded.has(name.toLowerCase()));
  const violations: Violation[] = [];
  placeReader(headers, 'header', (sent: Reply) => (name) => [headerOf(sent, name) ?? []].flat())(reply, violations);
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...undeclared.map((name) => `the header ${name} is not declared`),
    ...violations.map(({ parameter, detail }) => `the header ${parameter} is wrong: ${detail}`),
  ];
}

function bodyDifferences(
  reply: Reply,
  { schema, mediaType }: ResponseDeclaration,
  operation: Operation,
  naming: PropertyNaming,
  problems: ProblemFormats | undefined,
): string[] {
  if (reply.status >= 400) return problemDifferences(reply, problems);
  // The bytes of a file or a stream are not described, only their media type is.
  if (mediaType !== undefined)
    return [
      ...typeDifferences(reply, [contentTypeOf(mediaType)]),
      ...(reply.body === undefined ? ['it has no body'] : []),
    ];
  if (schema === undefined) {
    const sent = ['Content-Type', 'Content-Length'].filter((name) => (headerOf(reply, name) ?? '0') !== '0');
    return [...(reply.body === undefined ? [] : ['it has a body']), ...sent.map((name) => `it has a ${name}`)];
  }
  const types = writtenMediaTypes(operation).map(contentTypeOf);
  const writers = Object.keys(operation.writers ?? {}).map(contentTypeOf);
  const type = typeIn(reply);
  // A list that is streamed is checked by nobody: to read it whole would need the memory that streaming saves.
  if (reply.body instanceof Readable) return typeDifferences(reply, types);
  if (types.includes(type) && writers.includes(type)) return lengthDifferences(reply, bodyBytes(reply));
  return jsonDifferences(reply, types, schema, naming);
}

/** The differences from the nearest format: operations may have several of one media type. */
function problemDifferences(reply: Reply, problems: ProblemFormats = rfc9457): string[] {
  const formats = formatsOf(problems);
  const types = formats.map(({ mediaType }) => contentTypeOf(mediaType));
  const own = formats.filter((_, at) => types[at] === typeIn(reply));
  if (own.length === 0) return typeDifferences(reply, types);
  const differences = own.map((format) => formatDifferences(reply, format));
  return differences.sort((one, other) => one.length - other.length)[0]!;
}

function formatDifferences(reply: Reply, { mediaType, schema }: ProblemFormat): string[] {
  const types = [contentTypeOf(mediaType)];
  if (!/[/+]json\b/.test(mediaType)) return lengthDifferences(reply, bodyBytes(reply));
  if (schema !== PROBLEM) return jsonDifferences(reply, types, schema, 'camelCase');
  const differences = jsonDifferences(reply, types, PROBLEM, 'camelCase', describedMembers);
  if (differences.length > 0) return differences;
  const { type, status, title } = JSON.parse(bodyBytes(reply)!.toString()) as Problem;
  if (status !== reply.status) differences.push(`its member status is ${status}`);
  // A type of its own has a title of its own (RFC 9457 §4.2.1).
  if (type === 'about:blank' && title !== statusText(reply.status)) differences.push(`its title is "${title}"`);
  return differences;
}

/** The members that every problem has; a client ignores those that one adds (RFC 9457 §3.2). */
const describedMembers = (problem: unknown): unknown =>
  typeof problem !== 'object' || problem === null
    ? problem
    : Object.fromEntries(Object.entries(problem).filter(([name]) => Object.hasOwn(PROBLEM.properties, name)));

/** `described` is the part of the value that the schema is for. */
function jsonDifferences(
  reply: Reply,
  types: readonly string[],
  schema: Schema,
  naming: PropertyNaming,
  described = (value: unknown): unknown => value,
): string[] {
  const bytes = bodyBytes(reply);
  const differences = [...typeDifferences(reply, types), ...lengthDifferences(reply, bytes)];
  if (bytes === undefined) return differences;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    const violations = checkValue(described(value), schema, naming);
    return [...differences, ...violations.map(({ pointer, detail }) => `"${pointer}" ${detail}`)];
  } catch {
    return [...differences, 'its body is not JSON'];
  }
}

const typeIn = (reply: Reply): string => headerOf(reply, 'Content-Type') ?? 'not told';

const typeDifferences = (reply: Reply, types: readonly string[]): string[] =>
  types.includes(typeIn(reply)) ? [] : [`its media type is ${typeIn(reply)}, not ${types.join(' or ')}`];

function lengthDifferences(reply: Reply, bytes: Buffer | undefined): string[] {
  if (bytes === undefined) return ['it has no body that can be checked'];
  const length = headerOf(reply, 'Content-Length');
  const isRight = length === undefined || Number(length) === bytes.length;
  return isRight ? [] : [`its Content-Length is ${length}, its body has ${bytes.length} bytes`];
}

/** Undefined for a stream and for no body. */
function bodyBytes({ body }: Reply): Buffer | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : undefined;
}
