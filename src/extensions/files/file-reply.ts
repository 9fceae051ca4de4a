/**
 * Answers a GET or HEAD of a file: 200, 206, 304, 412 or 416.
 *
 * It selects the coding first, evaluates the preconditions against that variant, and then takes the range from it (RFC
 * 9110 §13.2.2). In another order a client that resumes a compressed download would get parts of two variants. HEAD
 * ignores `Range` (§14.2).
 */

import { type ByteRange, byteRange, precondition, preferredCoding, rangeHolds, trustReply } from '../../http.ts';
import { type Context, HttpProblem, problemReply, type Reply, type ReplyBody, withHeaders } from '../../index.ts';
import { type OpenFile, openFile } from './disk-file.ts';
import { FileBody } from './file-body.ts';
import { type ServedFile, type Variant, type VariantSource, variant } from './file-variant.ts';

/** The reply with a file below `root`: a promise when it is read from the disk, of undefined when it is gone. */
export function fileReply(context: Context, file: ServedFile, root: string): Reply | Promise<Reply | undefined> {
  const reply = replyWith(context, file, root);
  return reply instanceof Promise ? reply : trustReply(reply, context);
}

function replyWith(context: Context, file: ServedFile, root: string): Reply | Promise<Reply | undefined> {
  const { headers } = context;
  const coding = file.codings.length === 0 ? undefined : preferredCoding(headers['accept-encoding'], file.codings);
  const selected = (coding === undefined ? undefined : file.encoded[coding]) ?? file.identity;
  const decided = decidedReply(context, selected);
  if (decided !== undefined) return asReply(decided, context);
  if (selected.bytes === undefined) return streamedReply(context, selected, root);
  if (headers.range === undefined) return selected.ok;
  const { bytes } = selected;
  return asReply(
    rangeReply(context, selected, ({ first, last }) => bytes.subarray(first, last + 1)),
    context,
  );
}

/**
 * The reply with an open file, or the problem in its place. Conditions, headers, range and bytes belong to the state in
 * which it was opened. Takes ownership of the handle.
 */
export async function openFileReply(
  context: Context,
  { handle, stats }: OpenFile,
  source: Omit<VariantSource, 'length' | 'mtimeMs'>,
): Promise<Reply | HttpProblem> {
  const current = variant({ ...source, length: stats.size, mtimeMs: stats.mtimeMs });
  const reply = decidedReply(context, current) ?? rangeReply(context, current, (range) => new FileBody(handle, range));
  if (reply instanceof HttpProblem || !(reply.body instanceof FileBody)) await handle.close();
  return reply;
}

/** The reply that no byte of the file is needed for; undefined where some are. */
function decidedReply({ headers, method }: Context, selected: Variant): Reply | HttpProblem | undefined {
  const status = precondition(headers, selected);
  if (status === 304) return selected.notModified;
  if (status === 412) return new HttpProblem(412, 'The file is not in the state that the request asks for');
  return method === 'HEAD' ? selected.ok : undefined;
}

const asReply = (made: Reply | HttpProblem, context: Context): Reply =>
  made instanceof HttpProblem ? problemReply(context, made.status, made.message, made.extra) : made;

/** A reply that is read from the disk. */
async function streamedReply(context: Context, { source }: Variant, root: string): Promise<Reply | undefined> {
  const opened = await openFile(root, source.name);
  return opened && asReply(await openFileReply(context, opened, source), context);
}

/** 206 with the part that `Range` asks for, 416 where the file has no such part, 200 where `Range` does not apply. */
function rangeReply(context: Context, selected: Variant, cut: (range: ByteRange) => ReplyBody): Reply | HttpProblem {
  const { ok, length, ...validators } = selected;
  const { range: requested, 'if-range': ifRange } = context.headers;
  const range = rangeHolds(ifRange?.toString(), validators) ? byteRange(requested, length) : undefined;
  if (range === undefined) {
    return ok.body !== undefined || length === 0 ? ok : { ...ok, body: cut({ first: 0, last: length - 1 }) };
  }
  if (range === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${length}` };
    return new HttpProblem(416, `The file has ${length} bytes`, { headers });
  }
  const { first, last } = range;
  const part = { 'Content-Length': String(last - first + 1), 'Content-Range': `bytes ${first}-${last}/${length}` };
  return { ...withHeaders(ok, part), status: 206, body: cut(range) };
}
