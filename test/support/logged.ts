/** What services have logged, and what tests take of it. */
import assert from 'node:assert/strict';

/** What the services of this process have said on standard error, and no test has taken yet. */
export const logged: string[] = [];

/** The messages that were logged since they were last taken. */
export const takeMessages = (): string[] => logged.splice(0).map((line) => JSON.parse(line).message as string);

/** Takes the messages: they are as many as the patterns, and each matches its own. */
export function assertTold(...patterns: readonly RegExp[]): void {
  const messages = takeMessages();
  assert.equal(messages.length, patterns.length, messages.join('\n'));
  for (const [at, pattern] of patterns.entries()) assert.match(messages[at]!, pattern);
}
