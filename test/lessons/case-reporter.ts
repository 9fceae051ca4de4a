/** A reporter for `node:test` that sends the outcome of each case to the parent process (`run-cases.ts`). */
import type { Outcome } from './run-cases.ts';

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly details: { readonly error?: Error & { readonly failureType?: string; readonly cause?: unknown } };
  };
}

export default async function* caseReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, nesting, details } = data;
    if (nesting === 0) process.send?.({ name, ...(type === 'test:fail' && failureOf(details.error)) });
  }
  yield '';
}

/** The runner wraps what a case has thrown into an error of its own. */
function failureOf(error: TestEvent['data']['details']['error']): Pick<Outcome, 'message' | 'line'> {
  const { failureType, cause } = error ?? {};
  if (failureType === 'testTimeoutFailure' || failureType === 'cancelledByParent')
    return { message: 'It never ends: it waits for a promise that nothing fulfils.' };
  const thrown = failureType === 'testCodeFailure' ? cause : error;
  if (!(thrown instanceof Error)) return { message: `It throws ${String(thrown)}` };
  const line = /\b(?:exercise\.m?ts|\d\d-[\w-]+\.ts):\d+/.exec(thrown.stack ?? '')?.[0];
  return { message: messageOf(thrown), ...(line !== undefined && { line }) };
}

function messageOf(thrown: Error & { readonly generatedMessage?: boolean; readonly operator?: string }): string {
  const { name, message, generatedMessage, operator } = thrown;
  if (name === 'RangeError' && message.startsWith('Maximum call stack')) return ENDLESS;
  if (name !== 'AssertionError') return `${name}: ${message}`;
  // Such a message quotes the line of the case, or what the runner takes for it.
  if (generatedMessage === true && operator === '==') return 'What the name of this case says does not hold.';
  // The runner adds the two values to a message that tells them already.
  if (generatedMessage === true) return message.trim();
  // And some messages begin with words of the runner.
  return message
    .replace(/\n\n[^\n]* !== [^\n]*\n?$|\n\+ actual - expected\n[^]*$/, '')
    .replace(/^(?:Got unwanted|Missing expected) (?:exception|rejection)(?: \(\w+\))?: /, '')
    .trim();
}

const ENDLESS =
  'A function calls itself without end. Does it use a variable whose value changes before the request comes? ' +
  'All functions that a loop makes share a `let` from outside the loop; declare a `const` inside the loop instead.';
