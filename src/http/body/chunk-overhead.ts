/**
 * Decides whether the chunks of a body are so small that most of it is framing.
 *
 * A megabyte in chunks of one byte took seconds of processor time and half a gigabyte.
 */

/** What is not content in a body that is in order: up to two packets behind it, and the framing of a small one. */
const ALLOWANCE = 128 * 1024;

/** `read` and `content` are bytes. True where the chunks have fewer than about twenty bytes. */
export const hasExcessiveChunkOverhead = (read: number, content: number): boolean =>
  read - content > ALLOWANCE + content / 4;
