/** Decides whether a client can send a header line. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { thrownMessage } from '../../../extending.ts';

/** What is wrong with the line, in the words of Node; undefined for one that can be sent. */
export function sentHeaderFault(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}
