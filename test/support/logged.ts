/** Collects the log lines of services for the tests. */
import assert from 'node:assert/strict';

/** The lines that the services of this process have logged and no test has taken yet. */
export const logged: string[] = [];

/** Removes and returns the logged messages. */
export const takeMessages = (): string[] => logged.splice(0).map((line) => JSON.parse(line).message as string);

/** Removes the logged messages. Fails unless the first matches the first pattern, and so on to the last. */
export function assertTold(...patterns: readonly RegExp[]): void {
  const messages = takeMessages();
  assert.equal(messages.length, patterns.length, messages.join('\n'));
  for (const [at, pattern] of patterns.entries()) assert.match(messages[at]!, pattern);
}
