/** Releases what a reply holds that is not sent: a stream, with its open file. */
import { Readable } from 'node:stream';
import type { Reply } from '../message/context.ts';

export function discardReply({ body }: Reply): void {
  if (body instanceof Readable) body.destroy();
}
