/** Decides whether a request falls through to what a host has mounted behind a listener (D78). */
import { Context, type Reply } from '../../message/context.ts';
import type { FallThrough } from '../../message/request-state.ts';

/**
 * Is this the 404 of `unanswered`, of a request that has somewhere to go? A stage may add headers to it. A stage that
 * gives another status or another body in its place has answered.
 */
export function fallsThrough(reply: Reply | undefined, context: Context): boolean {
  if (reply?.status !== 404 || reply.body === undefined) return false;
  return reply.body === Context.stateOf(context)?.fallThrough?.unansweredBody;
}

/** The reply to a request that no stage gets to see and that falls through. */
export function unseen(fallThrough: FallThrough): Reply {
  fallThrough.unansweredBody = '';
  return { status: 404, headers: [], body: '' };
}
