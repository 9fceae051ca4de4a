/**
 * Answers a repeated request with the reply to the first one (D97): a client whose reply was lost sends its POST
 * again, with the same `Idempotency-Key`, and makes one item and not two
 * (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * What a handler returns is kept. What is thrown, as for a body that is refused, and each 429 and 5xx frees the key:
 * such a request counts as one that has changed nothing, and may be sent again.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { assertOptions, flat, logError } from '../../extending.ts';
import { parseContentType } from '../../http.ts';
import {
  type Application,
  type Context,
  type Handler,
  HttpProblem,
  makeReply,
  type Plugin,
  type Reply,
  type Responses,
  type Stage,
} from '../../index.ts';
import { isJson } from '../../operations.ts';
import { type IdempotencyStore, type KeptReply, type KeyRecord, MemoryStore } from './idempotency-store.ts';

export type { IdempotencyStore, KeptReply, KeyRecord } from './idempotency-store.ts';

/** Which requests have keys, whose the keys are, and where replies are kept. */
export interface IdempotencyOptions {
  /** `['POST']` unless given; PATCH may be another. The other methods can be repeated as they are. */
  readonly methods?: readonly ('POST' | 'PATCH')[] | undefined;
  /** True where a request without a key is refused with 400. */
  readonly required?: boolean | undefined;
  /**
   * Names who the keys belong to: the user for example, so that two users may have one key. Without it a key belongs to
   * everybody, and `Authorization` and `Cookie` have to be the same again: other credentials are another request.
   */
  readonly scope?: ((context: Context) => string) | undefined;
  /** Milliseconds for which a reply is kept in memory; a day unless given. */
  readonly ttl?: number | undefined;
  /** Keys in memory; 10,000 unless given. Past it, the reply that was kept first is forgotten. */
  readonly maxKeys?: number | undefined;
  /** Bytes of all replies in memory; 16 MiB unless given. Past it, the replies that were kept first are forgotten. */
  readonly maxBytes?: number | undefined;
  /** Keeps them in place of the memory: `ttl`, `maxKeys` and `maxBytes` are its own then. */
  readonly store?: IdempotencyStore | undefined;
  /** The time in milliseconds. Default: since the start of the process. */
  readonly now?: (() => number) | undefined;
}

const REPLAYED = 'Idempotent-Replayed';
const MALFORMED =
  'The Idempotency-Key cannot be read: send 1 to 255 visible characters in quotes, as in "8e03978e-40d5-43dd-bc93"';
const REUSED =
  'The Idempotency-Key was sent with another request: method, path, body and credentials have to be the same; send a new key';
const RUNNING = 'A request with this Idempotency-Key is still running; send it again later';
const NOT_KEPT =
  'The request with this Idempotency-Key has been answered; its reply was not kept, and it did not run again';

const headers = {
  'Idempotency-Key': { type: 'string', description: 'A key of its own, with which a request can be sent again' },
} as const;

const retryAfter = { type: 'integer', description: 'Seconds until it may have been answered' } as const;
const refusals = {
  400: { description: 'If the Idempotency-Key is malformed' },
  409: {
    description: 'If a request with this Idempotency-Key is running, or its reply was not kept',
    headers: { 'Retry-After': retryAfter },
  },
  422: { description: 'If the Idempotency-Key was sent with another request' },
} as const;
const replayed = {
  [REPLAYED]: { type: 'boolean', description: 'True for a reply that was sent before', enum: [true] },
} as const;

/**
 * The plugin, for the routes of these methods. It runs before credentials are checked. Its members put it behind that
 * check, for one operation or controller in place of all: `stages: once.stages`, `responses: { …, ...once.refusals }`
 * and `headers: once.headers`, which describes the key.
 *
 * Throws a `TypeError` for an option that means nothing and for another method, a `RangeError` for a time or a bound
 * that is no whole number above 0.
 *
 *     application([idempotency(), todo()]);
 */
export function idempotency(options: IdempotencyOptions = {}) {
  const known = ['methods', 'required', 'scope', 'ttl', 'maxKeys', 'maxBytes', 'store', 'now'] as const;
  assertOptions('keep replies', options, known);
  const { methods = ['POST'], required = false, scope, store = memoryFor(options) } = options;
  for (const method of methods as readonly string[])
    if (method !== 'POST' && method !== 'PATCH')
      throw new TypeError(`Cannot keep replies to "${method}": it can be repeated as it is; give POST, PATCH or both`);
  let started: Application | undefined;

  /** Once the application is started, a request that no route takes is left alone. */
  const isTaken = ({ method, path }: Context): boolean =>
    (methods as readonly string[]).includes(method) &&
    (started === undefined || started.routes.find(method, (started.prefix ?? '') + path) !== undefined);

  const idempotency: Stage = (context, next) => {
    if (!isTaken(context)) return next(context);
    const header = context.headers['idempotency-key']?.toString();
    if (header === undefined && !required) return next(context);
    if (header === undefined) throw new HttpProblem(400, `The request has no Idempotency-Key. ${MALFORMED}`);
    return answerOnce(keyOf(header), context, next);
  };

  async function answerOnce(sent: string, context: Context, next: Handler): Promise<Reply> {
    const owner: unknown = scope?.(context) ?? '';
    if (typeof owner !== 'string')
      throw new TypeError('Cannot find the reply to a request: scope returned no text; return one at once');
    const key = JSON.stringify([owner, sent]);
    const fingerprint = await fingerprintOf(context, scope === undefined);
    const taken = await store.begin(key, fingerprint);
    if (taken !== undefined) return repeated(taken, fingerprint);
    let reply: Reply;
    try {
      reply = await next(context);
    } catch (error) {
      await logged(() => store.release(key));
      throw error;
    }
    const isFreed = reply.status >= 500 || reply.status === 429;
    await logged(() => (isFreed ? store.release(key) : store.finish(key, { fingerprint, reply: keptReply(reply) })));
    return reply;
  }

  return {
    name: 'idempotency',
    stages: [idempotency],
    headers,
    refusals,
    responses({ operation }) {
      if (!methods.includes(operation.method as 'POST')) return {};
      const kept = Object.keys(operation.responses as Responses).filter((status) => Number(status) < 400);
      return { ...Object.fromEntries(kept.map((status) => [status, { headers: replayed }])), ...refusals };
    },
    start(application) {
      started = application;
    },
  } satisfies Plugin & Record<'headers' | 'refusals', object>;
}

function memoryFor(options: IdempotencyOptions): IdempotencyStore {
  const { ttl = 86_400_000, maxKeys = 10_000, maxBytes = 16 * 2 ** 20, now = () => performance.now() } = options;
  for (const [option, value] of Object.entries({ ttl, maxKeys, maxBytes }))
    if (!(Number.isInteger(value) && value > 0 && value < 1e15))
      throw new RangeError(`Cannot keep replies with the ${option} ${value}: give a whole number above 0`);
  return new MemoryStore({ ttl, maxKeys, maxBytes, now });
}

/** A text in quotes (RFC 9651 §3.3.3), or as most clients send it, the characters alone. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\]){1,255})"$/;
const BARE = /^[!#-+\--:<-[\]-~]{1,255}$/;

/** The key of a header. Throws an `HttpProblem` 400 for none, several, or one that is too long. */
function keyOf(header: string): string {
  const quoted = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
  if (quoted === undefined && !BARE.test(header)) throw new HttpProblem(400, MALFORMED);
  return quoted ?? header;
}

/** JSON and a form without files: others may be long, and a form with files is written otherwise each time. */
const isCompared = (mediaType: string): boolean =>
  mediaType === 'application/x-www-form-urlencoded' || isJson(mediaType);

/** Tells a request from others: method, target, media type, and the body where it is JSON or a form without files. */
async function fingerprintOf(context: Context, withCredentials: boolean): Promise<string> {
  const { method, request, headers } = context;
  const mediaType = parseContentType(headers['content-type'] ?? '')?.type;
  const credentials = withCredentials ? [headers.authorization, headers.cookie] : [];
  const hash = createHash('sha256').update(JSON.stringify([method, request.url, mediaType, ...credentials]));
  if (mediaType !== undefined && isCompared(mediaType)) hash.update(await context.body());
  return hash.digest('base64url');
}

/** Throws an `HttpProblem`: 409 while the first request runs, 422 where it was another one. */
function repeated({ fingerprint, reply }: KeyRecord, sent: string): Reply {
  if (fingerprint !== sent) throw new HttpProblem(422, REUSED);
  if (reply === undefined) throw new HttpProblem(409, RUNNING, { headers: { 'Retry-After': '1' } });
  if (reply === 'not kept') throw new HttpProblem(409, NOT_KEPT);
  return makeReply(reply.status, [...reply.headers, REPLAYED, 'true'], reply.body);
}

/** A stream is read once. */
function keptReply({ status, headers, body }: Reply): KeptReply | 'not kept' {
  if (body instanceof Readable) return 'not kept';
  const whole = Array.isArray(body) ? Buffer.concat(body) : (body as KeptReply['body']);
  return { status, headers: flat(headers), body: whole };
}

/** The reply is sent, whatever becomes of its copy. */
async function logged(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    logError(error);
  }
}
