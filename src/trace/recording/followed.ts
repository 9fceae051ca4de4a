/** Follows an action that is no stage, a handler for example: it answers or throws, at once or later. */
import type { Reply } from '../../http/message/context.ts';
import { settled } from '../../pipeline/observed.ts';
import type { End } from './request-recording.ts';

/** Does the action and tells how it ended: an action that is no stage answers or throws. */
export function followed<Result>(
  action: () => Result | Promise<Result>,
  ended: (end: End) => void = () => {},
): Result | Promise<Result> {
  let waited = false;
  return settled<Result>(
    () => {
      const result = action();
      waited = result instanceof Promise;
      return result;
    },
    (result) => {
      ended({ did: 'answered', failed: false, waited, ...answerOf(result) });
      return result;
    },
    (error) => {
      ended({ did: 'threw', failed: true, waited, error });
      throw error;
    },
  );
}

/** What the station answered. The answer of an operation has a status, and its reply is made later. */
const answerOf = (result: unknown): { reply?: Reply } => {
  if (typeof result !== 'object' || result === null || !('status' in result)) return {};
  const { status, headers } = result as Reply;
  return { reply: Array.isArray(headers) ? (result as Reply) : { status, headers: headers ?? {} } };
};
