/** Checks in tests that each reply of an operation is one that the operation declares (D14). */
import { Readable } from 'node:stream';
import type { Plugin } from '../core/application/plugin.ts';
import { contentTypeOf, isJsonType } from '../core/message/headers/content-type.ts';
import { discardReply } from '../core/message/made-reply.ts';
import { HttpProblem, problemReply } from '../core/message/problem.ts';
import { headerOf } from '../core/message/replies.ts';
import type { Reply, Violation } from '../core/message/reply.ts';
import type { Stage } from '../core/pipeline/stage.ts';
import { writtenMediaTypes } from './media-types/body-writers.ts';
import { operationOf, type RoutedOperation } from './operation/controller.ts';
import type { ResponseHeaders } from './operation/operation.ts';
import { formatsOf, rfc9457 } from './operation/problem-format.ts';
import { placeReader } from './parameters/read-values.ts';
import { responsesOf } from './routes/responses-of.ts';
import { checkValue } from './schema/judge.ts';
import { PROBLEM } from './schema/schema.ts';

/**
 * The plugin that compares each reply of an operation with its declaration: status, headers, media type and body, but
 * for streams and files. A reply that differs becomes a 500, and the log gets an `Error` that names each difference.
 *
 *     const responses = { 204: { description: 'It runs' } };
 *     const ping = operation({ method: 'GET', path: 'ping', responses, handle: () => noContent() });
 *     const app = application([verification(), { name: 'ping', routes: [ping] }]);
 *     const { status } = await app.request('/ping'); // 500 if the reply is not as declared
 */
export function verification(): Plugin {
  const check = (routed: RoutedOperation): Stage =>
    async function verification(context, next) {
      const reply = await (async () => next(context))().catch((error: unknown) => {
        if (!(error instanceof HttpProblem)) throw error;
        return problemReply(context, error.status, error.message, error.extra);
      });
      const differences = differencesOf(reply, routed);
      if (differences.length === 0) return reply;
      discardReply(reply);
      const told = differences.join('; ');
      throw new Error(`The operation "${routed.id}" answers ${reply.status} otherwise than it declares: ${told}`);
    };
  return {
    name: 'verification',
    instrument: {
      route(route) {
        const routed = operationOf(route);
        return routed === undefined ? route : { ...route, stages: [check(routed), ...(route.stages ?? [])] };
      },
    },
  };
}

function differencesOf(reply: Reply, routed: RoutedOperation): string[] {
  const { operation, naming, problems = rfc9457 } = routed;
  const [{ status, body }, responses] = [reply, responsesOf(routed)];
  // A handler may be late or fail. A GET without an ETag still answers a condition.
  const isCondition = operation.method === 'GET' && !/"etag"/i.test(JSON.stringify(responses[200]?.headers ?? {}));
  const isUnsaid = status === 408 || status >= 500 || (isCondition && [304, 412].includes(status));
  if (responses[status] === undefined)
    return isUnsaid ? [] : [`it declares no ${status}, only ${Object.keys(responses).join(', ')}`];
  const { schema, mediaType, headers = {} } = responses[status];
  const written = mediaType !== undefined ? [mediaType] : schema === undefined ? [] : writtenMediaTypes(operation);
  // A file, and what a writer of the operation makes, has no schema.
  const isOpaque = (type: string): boolean => type === mediaType || type in (operation.writers ?? {});
  const formatOf = (type: string) => ({ mediaType: type, schema: isOpaque(type) ? undefined : schema });
  const isProblem = status >= 400;
  const formats = isProblem ? formatsOf(problems) : written.map(formatOf);
  const differences = headerDifferences(reply, headers);
  const types = formats.map((format) => contentTypeOf(format.mediaType));
  const type = headerOf(reply, 'Content-Type') ?? 'not told';
  if (types.length === 0) return body === undefined ? differences : [...differences, 'it has a body'];
  if (!types.includes(type)) return [...differences, `its media type is ${type}, not ${types.join(' or ')}`];
  const own = formats[types.indexOf(type)]!.schema;
  if (own === undefined || body instanceof Readable || !isJsonType(type)) return differences;
  // A client ignores the members that a problem adds (RFC 9457 §3.2).
  const isKept = ({ detail }: Violation): boolean => own !== PROBLEM || detail !== 'is not described';
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body ?? []).toString());
    const faults = checkValue(value, own, isProblem ? 'camelCase' : naming).filter(isKept);
    return [...differences, ...faults.map(({ pointer, detail }) => `"${pointer}" ${detail}`)];
  } catch {
    return [...differences, 'its body is not JSON'];
  }
}

/** The headers that a client acts upon. A reply has none of them undeclared. */
const SIGNIFICANT = 'Location ETag Accept Accept-Encoding Accept-Patch Allow WWW-Authenticate Retry-After'.split(' ');

/** A declared header may be absent unless it is declared with `always`. */
function headerDifferences(reply: Reply, declared: ResponseHeaders): string[] {
  const names = Object.keys(declared);
  const isSent = (name: string): boolean => headerOf(reply, name) !== undefined;
  const isDeclared = (name: string): boolean => names.some((one) => one.toLowerCase() === name.toLowerCase());
  const wrong: Violation[] = [];
  placeReader(declared, 'header', (sent: Reply) => (name) => [headerOf(sent, name) ?? []].flat())(reply, wrong);
  return [
    ...names.filter((one) => declared[one]!.always && !isSent(one)).map((one) => `the header ${one} is missing`),
    ...SIGNIFICANT.filter((one) => isSent(one) && !isDeclared(one)).map((one) => `the header ${one} is not declared`),
    ...wrong.map(({ parameter, detail }) => `the header ${parameter} is wrong: ${detail}`),
  ];
}
