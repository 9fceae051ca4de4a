/** What every driven client can do, whoever generated it: each operation once, with the status that was answered. */

/** An item whatever the casing on the wire. */
export interface PlainItem {
  readonly key?: string;
  readonly name?: string | null;
  readonly isComplete?: boolean;
}

export interface Outcome<Data = undefined> {
  readonly status: number;
  readonly data?: Data;
}

export interface Client {
  list(): Promise<Outcome<readonly PlainItem[]>>;
  get(id: string): Promise<Outcome<PlainItem>>;
  post(item: PlainItem): Promise<Outcome<PlainItem>>;
  put(id: string, item: PlainItem): Promise<Outcome>;
  patch(id: string, item: PlainItem): Promise<Outcome>;
  delete(id: string): Promise<Outcome>;
}
