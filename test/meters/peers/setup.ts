/** What the services of all three libraries are given. */
import type { MeterStore } from '../store.ts';

export interface Holder<Identity> {
  readonly identity: Identity;
  readonly roles: readonly string[];
}

export interface Setup {
  /** The staff by token, and the meters by the key of their device. */
  readonly tokens: Readonly<Record<string, Holder<{ readonly name: string }>>>;
  readonly keys: Readonly<Record<string, { readonly identity: { readonly meter: string } }>>;
  readonly store: MeterStore;
}
