/** A real context, made as the server makes it, with the id "test" and nothing else but what a test says. */

import type { Context } from '../../src/core/message/context.ts';
import { contextFor } from '../../src/testing.ts';

export const testContext = (path: string, { headers, ...more }: Parameters<typeof contextFor>[1] = {}): Context =>
  contextFor(path, { ...more, headers: { 'X-Request-Id': 'test', ...headers } });
