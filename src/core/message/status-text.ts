/** Gives the reason phrase of a status as in RFC 9110 §15. For two of them Node has the phrase of an older standard. */
import { STATUS_CODES } from 'node:http';

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase; undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
