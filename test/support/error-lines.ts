/** Replaces `console.error` during a test. Returns a function with the written lines, read as JSON. */
import type { TestContext } from 'node:test';

export function errorLines(t: Pick<TestContext, 'mock'>) {
  const { mock } = t.mock.method(console, 'error', () => {});
  return () => mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)) as Record<string, any>);
}
