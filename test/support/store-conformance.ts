/**
 * What every store does, row by row: for who writes one.
 *
 * `storeConformance({ name, make })` makes a test of each row, with a new store that has no items. After each step the
 * store is compared with a plain array. Stores keep to-do items, as `todo({ store })` needs them.
 */
import assert from 'node:assert/strict';
import type { StreamedRepresentation } from '../../src/core/message/representation.ts';
import { type Representation, serializer } from '../../src/extending.ts';
import type { Store } from '../../src/extensions/collection/collection.ts';
import { type TodoItem, todoSchema } from '../../src/extensions/todo/todo.ts';
import { entityTag, type Version } from '../../src/http.ts';
import { HttpProblem } from '../../src/index.ts';
import { AT_ONCE, SEEDS, STEPS, type Step } from './store-conformance.cases.ts';
import { type Row, table } from './table.ts';

type Items = Store<TodoItem>;

/** How the stores are made that the rows are asked of. */
export interface StoreUnderTest {
  readonly name: string;
  /** A new store without items. */
  make(): Items | Promise<Items>;
  /** The same items, as another process or a later run has them. Left out where items end with their store. */
  again?(store: Items): Items | Promise<Items>;
  /** A new store with room for one item with a name of 1,000 letters, but not of 100,000, and for no second item. */
  makeFull?(): Items | Promise<Items>;
}

/** Makes the tests of this kind of stores. */
export function storeConformance(under: StoreUnderTest): void {
  const named = <R extends Row>(rows: readonly R[]): R[] =>
    rows.map((one) => ({ ...one, question: `${under.name}: ${one.question}` }));
  const rows = STEPS.filter(({ needs }) => needs !== 'full' || under.makeFull !== undefined);
  table(named(rows), async ({ steps, needs }) => {
    const store = await (needs === 'full' ? under.makeFull!() : under.make());
    const checked = await Checked.of(store, under);
    for (const [at, step] of steps.entries()) await checked.take(step, at === steps.length - 1);
  });
  table(named(AT_ONCE), async ({ atOnce, change }) => {
    const checked = await Checked.of(await under.make(), under);
    await checked.take({ add: 'a' });
    await checked.takeAtOnce(atOnce, change);
  });
  table(named(SEEDS), async ({ before, seeds, found }) => {
    const store = await under.make();
    if (store.seed === undefined) return;
    const stores = [store, ...(under.again === undefined ? [] : [await under.again(store)])];
    const checked = await Checked.of(store, under);
    for (const step of before) await checked.take(step);
    const calls = seeds.map((key, at) => stores[at % stores.length]!.seed!(key, valueOf(key)));
    for (const call of calls) await settled(call);
    const keys = JSON.parse(String(await bytesRead(await store.list()))).map(({ key }: TodoItem) => key);
    assert.equal(keys.length, found);
    assert.ok(keys.every((key: string) => seeds.includes(key)));
  });
}

const write = serializer(todoSchema(), 'camelCase');
const valueOf = (key: string, name: string | null = 'a'): TodoItem =>
  Object.freeze({ key, name, isComplete: name === '' });
const textOf = (key: string, { name }: { readonly name?: string | null }): string => write(valueOf(key, name));

interface Kept {
  readonly key: string;
  text: string;
  version: Version;
}

/** A store beside the array that it must equal. */
class Checked {
  /** Two where another process has the same items: steps go to each in turn. */
  readonly #stores: readonly Items[];
  #turn = 0;
  #model: Kept[] = [];
  /** Every version that an item has had, by its key. */
  readonly #versions = new Map<string, Version[]>();
  /** Every version that the list has had. */
  readonly #lists: Version[] = [];

  private constructor(stores: readonly Items[]) {
    this.#stores = stores;
  }

  static async of(store: Items, { again }: StoreUnderTest): Promise<Checked> {
    const checked = new Checked([store, ...(again === undefined ? [] : [await again(store)])]);
    await checked.#compare(true);
    return checked;
  }

  /** Takes one step; then the store is what the array is. */
  async take(step: Step, isLast = true): Promise<void> {
    const { fails } = step;
    const list = await this.#stores[0]!.list();
    const before = 'body' in list ? bytesOf(list) : undefined;
    if (fails === 'taken' || fails === 'full') {
      // The class of a store's error may be that of another copy of the library.
      await assert.rejects(this.#begin(step), fails === 'full' ? isFull : Error);
    } else {
      const result = await this.#begin(step);
      if (fails === 'same') assert.equal(result, 'remove' in step ? false : undefined);
      else this.#record(step, result);
    }
    await this.#compare(fails === undefined, isLast);
    // One that is streamed is opened before the next change.
    if (before !== undefined && 'body' in list)
      assert.ok(before.equals(bytesOf(list)), 'a list that was read has changed');
  }

  /** Takes steps at the same time, of which so many change something; then the store has what one of these leaves. */
  async takeAtOnce(steps: readonly Step[], change: number): Promise<void> {
    const results = await Promise.allSettled(steps.map((step) => this.#begin(step)));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.ok(refused.length === 0 || steps[0]!.fails === 'taken', String(refused[0]));
    const done = steps.filter((_, at) => (results[at] as { readonly value?: unknown }).value);
    assert.equal(done.length, change, 'steps that say that they have changed something');
    const removed = new Set(done.flatMap((step) => ('remove' in step ? [step.remove] : [])));
    const keys = new Set([
      ...this.#model.map(({ key }) => key),
      ...done.flatMap((step) => ('add' in step ? [step.add] : [])),
    ]);
    const left = [...keys].filter((key) => !removed.has(key));
    const items = await Promise.all(left.map(async (key) => recorded(key, await this.#stores[0]!.get(key))));
    for (const item of items) {
      const { key } = item;
      const last = done.flatMap((step) => (keyOf(step) === key && !('remove' in step) ? [textOf(key, step)] : []));
      const former = this.#model.find((one) => one.key === key);
      if (last.length > 0) this.#note(item);
      assert.ok((last.length > 0 ? last : [former?.text]).includes(item.text), `${key} has what no step gave it`);
    }
    const order = JSON.parse(String(await bytesRead(await this.#stores[0]!.list()))).map(({ key }: TodoItem) => key);
    this.#model = items.toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key));
    await this.#compare(true);
  }

  /** Calls a store before it waits for anything. What is thrown at once rejects as well. */
  async #begin(step: Step): Promise<Representation<TodoItem> | boolean | undefined> {
    const store = this.#stores[this.#turn++ % this.#stores.length]!;
    if ('add' in step) return settled(store.add(step.add, valueOf(step.add, step.name)));
    const version = this.#asked(step);
    if ('remove' in step) return settled<boolean>(store.remove(step.remove, version));
    return settled(store.replace(step.replace, valueOf(step.replace, step.name), version));
  }

  #asked(step: Exclude<Step, { readonly add: string }>): Version | undefined {
    const key = keyOf(step);
    const [now, ...earlier] = this.#versions.get(key)?.toReversed() ?? [];
    switch (step.at) {
      case undefined:
        return undefined;
      case 'now':
        return now;
      case 'before':
        return this.#model.some((one) => one.key === key) ? earlier[0] : now;
      case 'z':
        return this.#versions.get('z')!.at(-1)!;
      case 'list':
        return this.#lists.find((version) => version !== now)!;
      case 'other':
        return typeof now === 'string' ? `${now}x` : 2 ** 50;
    }
  }

  /** Notes in the array what a step has changed in the store. */
  #record(step: Step, result: unknown): void {
    const key = keyOf(step);
    const at = this.#model.findIndex((one) => one.key === key);
    if ('remove' in step) {
      assert.equal(result, true);
      this.#model.splice(at, 1);
      return;
    }
    const item = recorded(key, result as Representation<TodoItem> | undefined);
    assert.equal(item.text, textOf(key, step), 'what the change returns');
    this.#note(item);
    if ('add' in step) this.#model.push(item);
    else this.#model[at] = item;
  }

  #note({ key, version }: Kept): void {
    const versions = this.#versions.get(key) ?? [];
    assert.ok(!versions.includes(version), `a version that ${JSON.stringify(key)} has had before`);
    if (this.#stores.length > 1) assert.equal(typeof version, 'string', 'a version that others read is a text');
    this.#versions.set(key, [...versions, version]);
  }

  /** Each store has exactly what the array has. */
  async #compare(hasChanged: boolean, isLast = true): Promise<void> {
    const former = this.#lists.at(-1);
    // The list tells every item after every step. One by one, those of a long list are read at the end.
    const items = isLast || this.#model.length <= 20 ? this.#model : this.#model.slice(-1);
    for (const store of this.#stores) {
      const list = await settled(store.list());
      assert.equal(String(await bytesRead(list)), `[${this.#model.map(({ text }) => text).join(',')}]`, 'the list');
      if (list.version === undefined) assert.ok('stream' in list, 'a list without a version is streamed');
      else if (store !== this.#stores[0])
        assert.equal(list.version, this.#lists.at(-1), 'the version of the list elsewhere');
      else if (!hasChanged) assert.equal(list.version, former, 'the version of a list that has not changed');
      else assert.ok(!this.#lists.includes(list.version), 'a version that the list has had before');
      if (store === this.#stores[0] && hasChanged && list.version !== undefined) this.#lists.push(list.version);
      for (const item of items) assert.deepEqual(recorded(item.key, await settled(store.get(item.key))), item);
      for (const key of [...this.#versions.keys(), 'nobody', 'hasOwnProperty'])
        if (!this.#model.some((one) => one.key === key)) assert.equal(await settled(store.get(key)), undefined, key);
    }
  }
}

const isFull = (error: unknown): boolean => error instanceof HttpProblem && error.status === 507;

const keyOf = (step: Step): string => ('add' in step ? step.add : 'remove' in step ? step.remove : step.replace);

/** What an item is now: a store may renew the object that it gives. */
function recorded(key: string, item: Representation<TodoItem> | undefined): Kept {
  assert.ok(item !== undefined, `${JSON.stringify(key)} is not there`);
  const { version } = item;
  assert.match(entityTag(version), /^"[!#-~]+"$/);
  return { key, text: String(bytesOf(item)), version };
}

function bytesOf({ body, length }: Representation<unknown>): Buffer {
  const bytes = Buffer.from(body);
  assert.equal(length, bytes.length, 'the length, in bytes');
  return bytes;
}

async function bytesRead(list: Representation<unknown> | StreamedRepresentation<unknown>): Promise<Buffer> {
  if ('body' in list) return bytesOf(list);
  const bytes = Buffer.concat((await list.stream().toArray()).map((part) => Buffer.from(part)));
  if (list.length !== undefined) assert.equal(list.length, bytes.length, 'the length, in bytes');
  return bytes;
}

/** The service waits for native promises alone. */
async function settled<Value>(answer: Value | Promise<Value>): Promise<Value> {
  const isThenable = typeof (answer as Partial<Promise<Value>> | undefined)?.then === 'function';
  assert.ok(!isThenable || answer instanceof Promise, 'a thenable that is no native promise');
  return answer;
}
