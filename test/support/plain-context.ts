/** A request as stages see it, with nothing in it but what a test says. */
import type { Context } from '../../src/http/context.ts';
import { splitPath } from '../../src/http/path.ts';

export function plainContext(path: string, more: Partial<Context> = {}): Context {
  return {
    method: 'GET', path, basePath: '', headers: {}, requestId: 'test', query: new URLSearchParams(), segments: splitPath(path),
    body: () => Promise.resolve(new Uint8Array()), request: undefined as never, ...more,
  };
}
