/** Keeps the template of the route that has matched a request. */
import type { Context } from './context.ts';
import { ownSlot } from './slotted-context.ts';

const template = ownSlot<string>('matched template');

/**
 * The template of the route that has matched the request, as a path such as `/api/todo/{id}`; undefined before the
 * match, and where a stage answers.
 */
export function matchedTemplate(context: Context): string | undefined {
  const text = template.find(context);
  return text === undefined ? undefined : `/${text}`;
}

/** Routing calls it with the text of the template of each match. */
export const setMatchedTemplate = (context: Context, text: string): void => template.set(context, text);
