/**
 * What HTTP has beside requests and replies: `todo-item-service/http`. Headers, conditions, ranges, proxies, limits.
 */

export { trustReply } from './core/message/check-reply.ts';
export { type ByteRange, byteRange } from './core/message/headers/byte-range.ts';
export { matches, noneMatch, precondition, rangeHolds, type Validators } from './core/message/headers/conditional.ts';
export { downloadDisposition } from './core/message/headers/content-disposition.ts';
export { type ContentType, parseContentType } from './core/message/headers/content-type.ts';
export { contentTag, entityTag, type Version } from './core/message/headers/entity-tag.ts';
export { httpDate } from './core/message/headers/http-date.ts';
export { contentTypeOf, mediaTypeOf } from './core/message/headers/media-types.ts';
export { type Coding, preferredCoding } from './core/message/headers/negotiation.ts';
export { API_POLICY } from './core/message/headers/security-headers.ts';
export { decoded } from './core/message/path.ts';
export { type PlainReply, plainHeaders } from './core/message/plain-reply.ts';
export { statusText } from './core/message/status-text.ts';
export { noBody } from './core/wire/body/body-fault.ts';
export { limitedBody, longestBody, streamedBody } from './core/wire/body/body-limit.ts';
export { LIMITS, memoryFor } from './core/wire/connection/limits.ts';
export { fallsThrough } from './core/wire/mount/fall-through.ts';
export { networkOf } from './core/wire/proxy/client-network.ts';
export { isEncrypted } from './core/wire/proxy/is-encrypted.ts';
export { type Forwarded, forwarded, type TrustedProxies, trustedProxies } from './core/wire/proxy/trusted-proxy.ts';
