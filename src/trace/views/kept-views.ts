/**
 * Makes the views of one request, each once: a context and a reply are read-only. What takes long, such as to compare
 * two of them, is done when the recording is asked for.
 */
import { Context, type Reply } from '../../http/message/context.ts';
import { attempt } from '../../log/thrown-value.ts';
import type { Secrets } from './secrets.ts';
import type { BodyView, ContextView, ReplyView } from './station.ts';
import { contextView, replyView, shorten } from './views.ts';

/** What is shown of an object that stands for a context and is none. */
const UNREADABLE: ContextView = { method: '', path: '', basePath: '', query: '', headers: {}, slots: [] };

/** The views of one request. None of its methods throws, whatever a plugin gives. */
export class KeptViews {
  readonly #secrets: Secrets;
  readonly #contexts = new WeakMap<Context, ContextView>();
  readonly #replies = new WeakMap<Reply, ReplyView>();
  readonly #later: (() => void)[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The context with the slots that are set now. */
  context(context: Context): ContextView {
    if (typeof context !== 'object' || context === null) return UNREADABLE;
    const known = this.#contexts.get(context);
    if (known !== undefined && known.slots.length === (Context.stateOf(context)?.slots?.size ?? 0)) return known;
    const view = attempt(() => contextView(context, this.#secrets), UNREADABLE);
    this.#contexts.set(context, view);
    return view;
  }

  /** Undefined for what is no reply: a handler may return anything, and is told so by what checks it. */
  reply(reply: Reply): ReplyView | undefined {
    const known = attempt(() => this.#replies.get(reply), undefined);
    if (known !== undefined) return known;
    const view = attempt(() => replyView(reply, this.#secrets), undefined);
    if (view === undefined) return undefined;
    this.#replies.set(reply, view);
    this.shorten(view.body);
    return view;
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
