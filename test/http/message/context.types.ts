/** What the compiler says of copies of a context (D46). Checked by `npm run typecheck`, never run. */
import type { Context, Reply } from '../../../src/http/message/context.ts';
import { contextWith } from '../../../src/http/message/context-with.ts';
import type { Stage } from '../../../src/pipeline/stage.ts';

export const copies: Stage = (context, next) => next(contextWith(context, { path: '/a' }));
// @ts-expect-error A spread loses what is worked out on demand, and keeps the segments of the old path.
export const spreads: Stage = (context, next) => next({ ...context, path: '/a' });
// @ts-expect-error Nor is a context a literal.
export const literal: Context = { method: 'GET', path: '/' };
// @ts-expect-error The segments follow from the path.
export const segments: Stage = (context, next) => next(contextWith(context, { segments: ['a'] }));
// @ts-expect-error A stage that forgets to return what the next answers.
export const forgets: Stage = (context, next) => {
  next(context);
};
// @ts-expect-error A text is no reply.
export const text: Stage = (): Reply => 'text';
