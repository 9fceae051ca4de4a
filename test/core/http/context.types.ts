/** Code about contexts that the compiler must accept or reject (D46). `npm run typecheck` checks it; it never runs. */
import type { Context } from '../../../src/core/http/context.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';

export const copies: Stage = (context, next) => next(contextWith(context, { path: '/a' }));
// @ts-expect-error A spread loses the computed members.
export const spreads: Stage = (context, next) => next({ ...context, path: '/a' });
// @ts-expect-error A literal is not a context.
export const literal: Context = { method: 'GET', path: '/' };
// @ts-expect-error The segments depend on the path.
export const segments: Stage = (context, next) => next(contextWith(context, { segments: ['a'] }));
// @ts-expect-error A stage must return the reply of `next`.
export const forgets: Stage = (context, next) => void next(context);
// @ts-expect-error A text is not a reply.
export const text: Stage = (): Reply => 'text';
