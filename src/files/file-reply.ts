/**
 * The answer to a GET or HEAD of a file: 200, 206, 304, 412 or 416.
 *
 * First the coding is chosen, then the conditions are judged against that variant, then the range is cut from it – in this
 * order, or a client that resumes a compressed download gets pieces of two (RFC 9110 §13.2.2, §14.2). A range means
 * something to GET only.
 */

import { type ByteRange, byteRange } from '../http/headers/byte-range.ts';
import { precondition, rangeHolds } from '../http/headers/conditional.ts';
import { preferredCoding } from '../http/headers/negotiation.ts';
import { trustReply } from '../http/message/check-reply.ts';
import type { Context, Reply, ReplyBody } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { withHeaders } from '../http/message/replies.ts';
import { openFile } from './disk-file.ts';
import { FileBody } from './file-body.ts';
import { type ServedFile, type Variant, variant } from './file-variant.ts';

/** Answers with a file of the folder `root`; undefined when it went away meanwhile. At once where its bytes are held. */
export function fileReply(context: Context, file: ServedFile, root: string): Reply | Promise<Reply | undefined> {
  const reply = replyWith(context, file, root);
  return reply instanceof Promise ? reply : trustReply(reply, context);
}

function replyWith(context: Context, file: ServedFile, root: string): Reply | Promise<Reply | undefined> {
  const { headers } = context;
  const coding = file.codings.length === 0 ? undefined : preferredCoding(headers['accept-encoding'], file.codings);
  const chosen = (coding === undefined ? undefined : file.coded[coding]) ?? file.plain;
  const status = precondition(headers, chosen);
  if (status === 304) return chosen.unchanged;
  if (status === 412) return problemReply(context, 412, 'The file is not in the state that the request asks for');
  if (context.method === 'HEAD') return chosen.whole;
  if (chosen.bytes === undefined) return streamed(context, chosen, root);
  if (headers.range === undefined) return chosen.whole;
  const { bytes } = chosen;
  return ranged(context, chosen, ({ first, last }) => bytes.subarray(first, last + 1));
}

/** From the disk, as it is found when opened: header lines, range and bytes belong to one and the same state. */
async function streamed(context: Context, { parts }: Variant, root: string): Promise<Reply | undefined> {
  const opened = await openFile(root, parts.name);
  if (opened === undefined) return undefined;
  const { handle, stats } = opened;
  const found = variant({ ...parts, length: stats.size, changed: stats.mtimeMs });
  const reply = ranged(context, found, (range) => new FileBody(handle, range));
  if (!(reply.body instanceof FileBody)) await handle.close();
  return reply;
}

/** The part that `Range` asks for, or the whole where it asks for none that can be given. */
function ranged(
  context: Context,
  { whole, length, ...validators }: Variant,
  cut: (range: ByteRange) => ReplyBody,
): Reply {
  const { range: asked, 'if-range': ifRange } = context.headers;
  const range = rangeHolds(ifRange?.toString(), validators) ? byteRange(asked, length) : undefined;
  if (range === undefined) {
    return whole.body !== undefined || length === 0 ? whole : { ...whole, body: cut({ first: 0, last: length - 1 }) };
  }
  if (range === 'unsatisfiable') {
    return problemReply(context, 416, `The file has ${length} bytes`, {
      headers: { 'Content-Range': `bytes */${length}` },
    });
  }
  const { first, last } = range;
  const part = { 'Content-Length': String(last - first + 1), 'Content-Range': `bytes ${first}-${last}/${length}` };
  return { ...withHeaders(whole, part), status: 206, body: cut(range) };
}
