/** A real context, made as the server makes it, with the id "test" and nothing else but what a test says. */

import { contextFor, type RequestOptions } from '../../src/http/context-for.ts';
import type { Context } from '../../src/http/message/context.ts';

export const testContext = (path: string, { headers, ...more }: RequestOptions = {}): Context =>
  contextFor(path, { ...more, headers: { 'X-Request-Id': 'test', ...headers } });
