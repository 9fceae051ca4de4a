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

/** The runner wraps the value that a case threw into another error. */
function failureOf(error: TestEvent['data']['details']['error']): Pick<Outcome, 'message' | 'line'> {
  const { failureType, cause } = error ?? {};
  if (failureType === 'testTimeoutFailure' || failureType === 'cancelledByParent')
    return { message: 'It never ends: it waits for a promise that never settles.' };
  const thrown = failureType === 'testCodeFailure' ? cause : error;
  if (!(thrown instanceof Error)) return { message: `It throws ${String(thrown)}` };
  const line = /\b(?:exercise\.m?ts|\d\d-[\w-]+\.ts):\d+/.exec(thrown.stack ?? '')?.[0];
  return { message: messageOf(thrown), ...(line !== undefined && { line }) };
}

function messageOf(thrown: Error & { readonly generatedMessage?: boolean; readonly operator?: string }): string {
  const { name, message, generatedMessage, operator } = thrown;
  if (name === 'RangeError' && message.startsWith('Maximum call stack')) return ENDLESS;
  if (name !== 'AssertionError') return `${name}: ${message}`;
  // Such a message quotes the line of the case, or a wrong line.
  if (generatedMessage === true && operator === '==') return 'The name of this case says the expected result.';
  // The message already contains the two values.
  if (generatedMessage === true) return message.trim();
  // The runner adds the two values, and its words at the beginning.
  return message
    .replace(/\n\n[^\n]* !== [^\n]*\n?$|\n\+ actual - expected\n[^]*$/, '')
    .replace(/^(?:Got unwanted|Missing expected) (?:exception|rejection)(?: \(\w+\))?: /, '')
    .trim();
}

const ENDLESS =
  'A function calls itself without end. Does it use a variable whose value changes before the request comes? ' +
  'All functions that a loop makes share a `let` from outside the loop; declare a `const` inside the loop instead.';
