/**
 * The standard phrase of a status, as RFC 9110 §15 has it: Node's own table still has the phrases of older standards for two of them.
 */
import { STATUS_CODES } from 'node:http';

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase, or undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
