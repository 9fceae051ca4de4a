/**
 * Bodies that are all framing: a chunk of one byte costs six on the wire, and Node a buffer of its own for each.
 *
 * A megabyte sent like that took the process seconds and half a gigabyte; four clients took a gigabyte and a half. So what
 * is no content is counted beside the content, and a body with too much of it is read no further.
 */

/** Bytes that may come beside the content: what stands behind the body in the last two packets, and the chunks of a small one. */
const SLACK = 128 * 1024;

/** Do `read` bytes from the wire hold so little content that chunks of less than twenty bytes must be at work? */
export const isMostlyFraming = (read: number, content: number): boolean => read - content > SLACK + content / 4;
