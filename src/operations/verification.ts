/** Checks in tests that operations send only replies that they declare (D14). */
import { Readable } from 'node:stream';
import type { Plugin } from '../core/application/plugin.ts';
import { contentTypeOf, isInRanges, isJsonType, parseContentType } from '../core/http/headers/content-type.ts';
import type { Violation } from '../core/http/problem.ts';
import { HttpProblem, problemReply } from '../core/http/problem.ts';
import { discardReply } from '../core/http/ready-reply.ts';
import { headerOf } from '../core/http/replies.ts';
import type { Reply } from '../core/http/reply.ts';
import { librarySlot } from '../core/http/slotted-context.ts';
import type { Stage } from '../core/pipeline/stage.ts';
import { sentMediaTypes, writtenMediaTypes } from './media-types/body-writers.ts';
import { operationOf, type RoutedOperation } from './operation/controller.ts';
import type { ResponseHeaders } from './operation/operation.ts';
import { RFC_9457 } from './operation/problems.ts';
import { placeReader } from './parameters/read-values.ts';
import { responsesOf } from './routes/responses-of.ts';
import type { PropertyNaming } from './schema/names.ts';
import { uncheckedValidator, valueChecker } from './schema/read-value.ts';
import { PROBLEM, type Schema } from './schema/schema.ts';

/**
 * Returns a plugin for tests. It compares each reply of an operation with the declaration: status, headers, media type,
 * and the body unless it is a stream, a file or compressed. If a reply differs, the client gets 500, and the log lists the
 * differences. Replies that plugins and controllers declare are accepted too (D79). If the operation fails, and a stage
 * of a later plugin makes a reply of the error, this reply is compared.
 *
 *     const responses = { 204: { description: 'It runs' } };
 *     const ping = operation({ method: 'GET', path: 'ping', responses, handle: () => noContent() });
 *     const app = application([verification(), { name: 'ping', routes: [ping] }]);
 *     const { status } = await app.request('/ping'); // 500 if the reply is not as declared
 */
export function verification(): Plugin {
  return {
    name: 'verification',
    stages: [
      async function verification(context, next) {
        const reply = await next(context);
        return failed.find(context)?.(reply) ?? reply;
      },
    ],
    instrument: {
      route(route) {
        const routed = operationOf(route);
        return routed === undefined ? route : { ...route, stages: [verified(routed), ...(route.stages ?? [])] };
      },
    },
  };
}

type Verify = (reply: Reply) => Reply;

/** Has the check of an operation that has failed. */
const failed = librarySlot<Verify>('failed operation');

function verified(routed: RoutedOperation): Stage {
  const checks = new Map<number, (reply: Reply) => string[]>();
  const verify: Verify = (reply) => {
    const differencesOf = checks.get(reply.status) ?? replyCheck(routed, reply.status);
    checks.set(reply.status, differencesOf);
    const differences = differencesOf(reply);
    if (differences.length === 0) return reply;
    discardReply(reply);
    throw new Error(
      `The operation "${routed.id}" answers ${reply.status} otherwise than it declares: ${differences.join('; ')}`,
    );
  };
  return async function verification(context, next) {
    const reply = await (async () => next(context))().catch((error: unknown) => {
      failed.set(context, verify);
      if (error instanceof HttpProblem) verify(problemReply(context, error.status, error.message, error.extra));
      throw error;
    });
    return verify(reply);
  };
}

function replyCheck(routed: RoutedOperation, status: number): (reply: Reply) => string[] {
  const { operation, naming, problems = RFC_9457 } = routed;
  const responses = responsesOf(routed);
  // These need no declaration: any handler may be late or fail, and a GET without an ETag can fail a condition.
  const isCondition = operation.method === 'GET' && !hasHeader(responses[200]?.headers, 'ETag');
  const isUnsaid = status === 408 || status >= 500 || (isCondition && [304, 412].includes(status));
  if (responses[status] === undefined)
    return () => (isUnsaid ? [] : [`it declares no ${status}, only ${Object.keys(responses).join(', ')}`]);
  const { schema, headers = {} } = responses[status];
  const sent = sentMediaTypes(responses[status]);
  const written = schema === undefined ? sent : writtenMediaTypes(operation);
  // The body of a file or of a custom writer does not follow a schema.
  const isOpaque = (type: string): boolean => sent.includes(type) || type in (operation.writers ?? {});
  const formatOf = (type: string) => ({ mediaType: type, schema: isOpaque(type) ? undefined : schema });
  const isProblem = status >= 400;
  const faultsOf = new Map(
    (isProblem ? [problems] : written.map(formatOf)).map((format) => {
      const type = contentTypeOf(format.mediaType);
      const isChecked = format.schema !== undefined && isJsonType(type);
      return [type, isChecked ? bodyCheck(format.schema, isProblem ? 'camelCase' : naming) : () => []];
    }),
  );
  const headerFaultsOf = headerCheck(headers);
  return (reply) => {
    const { body } = reply;
    const differences = headerFaultsOf(reply);
    if (faultsOf.size === 0) return body === undefined ? differences : [...differences, 'it has a body'];
    const type = headerOf(reply, 'Content-Type') ?? 'not told';
    const isSent = isInRanges(parseContentType(type)?.type ?? '', sent);
    const bodyFaultsOf = faultsOf.get(type) ?? (isSent ? () => [] : undefined);
    if (bodyFaultsOf === undefined)
      return [...differences, `its media type is ${type}, not ${[...faultsOf.keys()].join(' or ')}`];
    if (body instanceof Readable || headerOf(reply, 'Content-Encoding') !== undefined) return differences;
    return [...differences, ...bodyFaultsOf(typeof body === 'string' ? body : Buffer.from(body ?? []).toString())];
  };
}

const hasHeader = (declared: ResponseHeaders = {}, name: string): boolean =>
  Object.keys(declared).some((other) => other.toLowerCase() === name.toLowerCase());

function bodyCheck(schema: Schema, naming: PropertyNaming): (text: string) => string[] {
  const read = uncheckedValidator(PROBLEM, 'camelCase');
  // A problem may have additional members, because clients ignore them (RFC 9457 §3.2).
  const faultsOf = schema === PROBLEM ? (value: unknown) => read(value).errors ?? [] : valueChecker(schema, naming);
  return (text) => {
    try {
      return faultsOf(JSON.parse(text)).map(({ pointer, detail }) => `"${pointer}": ${detail}`);
    } catch {
      return ['its body is not JSON'];
    }
  };
}

/** The headers that change what a client does. An operation must declare them. */
const SIGNIFICANT = 'Location ETag Accept Accept-Encoding Accept-Patch Allow WWW-Authenticate Retry-After'.split(' ');

/** A declared header may be absent unless it is declared with `always`. */
function headerCheck(declared: ResponseHeaders): (reply: Reply) => string[] {
  const names = Object.keys(declared);
  const required = names.filter((name) => declared[name]!.always);
  const undeclared = SIGNIFICANT.filter((name) => !hasHeader(declared, name));
  const read = placeReader(declared, 'header', (sent: Reply, name) => [headerOf(sent, name) ?? []].flat());
  return (reply) => {
    const isSent = (name: string): boolean => headerOf(reply, name) !== undefined;
    const wrong: Violation[] = [];
    read(reply, wrong);
    return [
      ...required.filter((name) => !isSent(name)).map((name) => `the header ${name} is missing`),
      ...undeclared.filter(isSent).map((name) => `the header ${name} is not declared`),
      ...wrong.map(({ parameter, detail }) => `the header ${parameter} is wrong: ${detail}`),
    ];
  };
}
