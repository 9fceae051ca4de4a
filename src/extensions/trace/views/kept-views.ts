/**
 * Makes the views of one request. A context and a reply are read-only by their types alone: a stage in JavaScript may
 * change them in place, so each station is told as it was then.
 */

import { attempt } from '../../../extending.ts';
import type { Context, Reply } from '../../../index.ts';
import type { Secrets } from './secrets.ts';
import type { BodyView, ContextView, ReplyView } from './station.ts';
import { contextChanges, contextView, NO_CONTEXT, replyView, type SeenReply, shorten } from './views.ts';

/** The views of one request. None of its methods throws, whatever a plugin gives. */
export class KeptViews {
  readonly #secrets: Secrets;
  readonly #contexts = new WeakMap<Context, ContextView>();
  readonly #replies = new WeakMap<Reply, SeenReply>();
  readonly #later: (() => void)[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The context as it is now, with the slots that are set. */
  context(context: Context): ContextView {
    if (typeof context !== 'object' || context === null) return NO_CONTEXT;
    const view = attempt(() => contextView(context, this.#secrets), NO_CONTEXT);
    const known = this.#contexts.get(context);
    if (known !== undefined && known.slots.length === view.slots.length && contextChanges(known, view).length === 0)
      return known;
    this.#contexts.set(context, view);
    return view;
  }

  /** The reply as it is now. Undefined for what is none: a handler may return anything, and what checks it tells so. */
  reply(reply: Reply): SeenReply | undefined {
    const known = attempt(() => this.#replies.get(reply), undefined);
    const seen = attempt(() => this.#seen(reply, known), undefined);
    if (seen === undefined || seen === known) return seen;
    this.#replies.set(reply, seen);
    if (seen.view.body !== known?.view.body) this.shorten(seen.view.body);
    return seen;
  }

  #seen(reply: Reply, known: SeenReply | undefined): SeenReply {
    const { body } = reply;
    // A text is not read again. Bytes may have changed in place.
    const isKept = known !== undefined && body === known.body && !ArrayBuffer.isView(body) && !Array.isArray(body);
    const view = replyView(reply, this.#secrets, isKept ? known.view.body : undefined);
    return isKept && headText(known.view) === headText(view) ? known : { view, body };
  }

  /** A method of its own: a closure beside one that uses a reply would keep the whole reply in memory. */
  shorten(body: BodyView): void {
    this.#later.push(() => shorten(body, this.#secrets));
  }

  /** Does this when the recording is complete. */
  later(action: () => void): void {
    this.#later.push(action);
  }

  complete(): void {
    for (const action of this.#later.splice(0)) action();
  }
}

const headText = ({ status, headers }: ReplyView): string => JSON.stringify([status, headers]);
