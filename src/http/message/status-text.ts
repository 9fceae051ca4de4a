/** Gives the reason phrase of a status in the words of RFC 9110 §15; Node has the words of older standards for two of them. */
import { STATUS_CODES } from 'node:http';

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase; undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
