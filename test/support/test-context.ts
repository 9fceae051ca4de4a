/** Creates a real context, as the server does, with the request id "test" and the headers and options of the test. */

import type { Context } from '../../src/core/http/context.ts';
import { contextFor } from '../../src/testing.ts';

export const testContext = (path: string, { headers, ...more }: Parameters<typeof contextFor>[1] = {}): Context =>
  contextFor(path, { ...more, headers: { 'X-Request-Id': 'test', ...headers } });
