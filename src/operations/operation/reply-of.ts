/** Derives from the declared responses of an operation which replies its handler may return. */
import type { Names, Reply } from '../../core/message/reply.ts';
import type { ReplyBody } from '../../core/message/reply-fault.ts';
import type { RowsOf } from '../media-types/written-rows.ts';
import type { InferReply } from '../schema/schema.ts';

/** The replies that these declarations allow. */
export type ReplyOf<R> = {
  [Key in keyof R]: R[Key] extends { readonly schema: infer S }
    ? Reply<StatusOf<Key>, InferReply<S> | RowsOf<InferReply<S>>, NamesOf<InferReply<S>>>
    : R[Key] extends { readonly mediaType: string }
      ? Reply<StatusOf<Key>, ReplyBody>
      : Reply<StatusOf<Key>, never>;
}[keyof R];

/** A stream of Node has rows of any type. */
type NamesOf<Value> = Value extends readonly unknown[] ? '' | Names<Value> : Names<Value>;

/** The number that a key is; of an object that is spread in, it is the text of one. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : string extends Key
      ? number
      : never;
