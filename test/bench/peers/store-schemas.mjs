/** The schemas and answers of the peers that keep items in a store. */
import { lines } from './items.mjs';

const name = { type: 'string', nullable: true, default: null };
const isComplete = { type: 'boolean', default: false };
const body = { type: 'object', properties: { key: { type: 'string' }, name, isComplete } };
const item = {
  type: 'object',
  properties: { key: { type: 'string' }, name: { type: 'string', nullable: true }, isComplete: { type: 'boolean' } },
};

/** The options of fastify: as in the service, a value of another type is refused and not turned into the right one. */
export const options = { ajv: { customOptions: { coerceTypes: false } } };

/** By operation: what a body must be, and what is answered. */
export const schemas = {
  list: { schema: { response: { 200: { type: 'array', items: item } } } },
  get: { schema: { response: { 200: item } } },
  create: { schema: { body, response: { 201: item } } },
  put: { schema: { body: { ...body, required: ['key'] } } },
  patch: { schema: { body } },
};

/** 204 without an ETag: nothing is there that it could name. */
const { ETag, ...removed } = lines.empty;

export { removed };

/** Answers that no item has this key. */
export function missing(request, reply) {
  return reply
    .code(404)
    .headers({ ...removed, 'Cache-Control': 'no-store', 'Content-Type': 'application/problem+json' })
    .send(
      JSON.stringify({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: `No item has the key "${request.params.id}"`,
        instance: request.url,
        requestId: removed['X-Request-Id'],
      }),
    );
}

/** Answers that the body of a PUT names another item. */
export const wrongKey = (reply) => reply.code(400).headers(removed).send();
