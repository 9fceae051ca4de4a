/** A listener as the middleware of a framework: where it is mounted, and what falls through to what is behind (D78). */
import type { Context, Handler } from '../message/context.ts';
import { problemReply } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';
import { ownSlot } from '../message/slotted-context.ts';
import type { Exchange } from './connection/exchange.ts';
import { mountPathOf } from './mount-path.ts';
import { pathAsSent } from './parser-events.ts';

/** Gives a request to what a framework has mounted behind the listener. */
type Next = () => void;

const next = ownSlot<Next>('next of a framework');
export const setNext = (exchange: Exchange, behind: Next): void => next.set(exchange, behind);
export const nextOf = (context: Context): Next | undefined => next.find(context);

/** The body of the reply that says that nothing answers. */
const unansweredBody = ownSlot<unknown>('body of unanswered');

/**
 * The 404 for a method and a path that nothing answers (§7, D9). A `listener` that was given a `next` calls it instead
 * of sending this.
 */
export const unanswered: Handler = (context) => {
  const reply = problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`);
  unansweredBody.set(context, reply.body);
  return reply;
};

/**
 * Is this the 404 of `unanswered`, while a framework is mounted behind? A stage may add headers to it. A reply with
 * another status or another body is an answer.
 */
export function fallsThrough(reply: Reply | undefined, context: Context): boolean {
  if (reply?.status !== 404 || reply.body === undefined || nextOf(context) === undefined) return false;
  return reply.body === unansweredBody.find(context);
}

/** Gives the request to the framework as it is: no handler may read its body from now on. */
export function passOn(exchange: Exchange, finish: (exchange: Exchange) => void): void {
  exchange.replyStarted = true;
  finish(exchange);
  nextOf(exchange)!();
}

/** Does this request lead past the mount path and the base path, so that the framework decides whether it is valid? */
export const isOutside = (exchange: Exchange): boolean => {
  const { request, settings } = exchange;
  if (nextOf(exchange) === undefined || mountPathOf(request) !== '') return false;
  return pathAsSent(request.url!, settings.basePath).path === pathAsSent(request.url!, '').path;
};
