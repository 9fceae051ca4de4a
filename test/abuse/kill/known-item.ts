/** What is known of an item: the state that was acknowledged, and those that unanswered changes may have made. */
import type { Reply } from '../client.ts';

/** The members that a client chooses. */
export interface Value {
  readonly name: string;
  readonly isComplete: boolean;
}

/** A state of an item. Without a value the item is absent, without a tag nobody was told the tag. */
export interface State {
  readonly value?: Value;
  readonly etag?: string | undefined;
}

/** An item that is not there. */
export const ABSENT: State = {};

/** The bytes that the service answers for a value. */
export const textOf = (key: string, { name, isComplete }: Value): string => JSON.stringify({ key, name, isComplete });

/** An item of one client. */
export class KnownItem {
  /** Counts the creations of its client. */
  readonly number: number;
  /** Undefined as long as the answer to its creation is missing. */
  key: string | undefined;
  /** The first one was acknowledged. Each of the others may have taken its place. */
  states: readonly State[] = [ABSENT];
  /** Tags that were its own and are not any more, the last one first. */
  readonly formerTags: string[] = [];

  constructor(number: number) {
    this.number = number;
  }

  get acknowledged(): State {
    return this.states[0]!;
  }

  /** Is only one state possible? */
  get isCertain(): boolean {
    return this.states.length === 1;
  }

  get isGone(): boolean {
    return this.isCertain && this.acknowledged.value === undefined;
  }

  get mayBeAbsent(): boolean {
    return this.states.some(({ value }) => value === undefined);
  }

  /** Settles it after an answer to a change. Returns what is wrong if it had the tag of the answer before. */
  changed(state: State): string | undefined {
    const { etag } = state;
    const isNew = etag !== undefined && etag !== this.acknowledged.etag && !this.formerTags.includes(etag);
    this.settle(state);
    return isNew ? undefined : `${this.key} has the tag ${etag} a second time`;
  }

  /** From now on it has this state alone. */
  settle(state: State): void {
    for (const { etag } of this.states) if (etag !== undefined && etag !== state.etag) this.formerTags.unshift(etag);
    this.states = [state];
  }

  /** The acknowledged state has been left for one of the others. */
  leaveAcknowledged(): void {
    const [{ etag } = ABSENT, ...others] = this.states;
    if (etag !== undefined) this.formerTags.unshift(etag);
    this.states = others;
  }

  /** Settles it as a GET has found it. Returns what is lost or wrong, if anything is. */
  found({ status, text, etag }: Reply): string | undefined {
    const state = this.states.find(({ value }) =>
      value === undefined ? status === 404 : status === 200 && text === textOf(this.key!, value),
    );
    const known = this.states;
    this.settle(state === undefined ? this.acknowledged : { ...state, etag: state.value && etag });
    if (state === undefined) {
      const wanted = known.map(({ value }) => (value === undefined ? 'absent' : brief(textOf(this.key!, value))));
      return `${this.key} is answered with ${status} ${brief(text)}, possible were: ${wanted.join(', or ')}`;
    }
    if (state.etag !== undefined && state.etag !== etag) return `${this.key} had the tag ${state.etag}, has ${etag}`;
    return undefined;
  }
}

const brief = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text);
