/**
 * Tests the behaviour that every store must have, for authors of stores.
 *
 * Each test uses a new store without items. After each step, it compares the store with a plain array. The stores
 * contain to-do items, as `todo({ store })` requires.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Representation, type StreamedRepresentation, serializer } from '../extending.ts';
import { entityTag, type Version } from '../http.ts';
import { HttpProblem } from '../index.ts';
import type { Store } from '../plugins/collection/collection.ts';
import { type TodoItem, todoSchema } from '../plugins/todo/todo.ts';
import { AT_ONCE, type Row, SEEDS, STEPS, type Step } from './store-steps.ts';

type Items = Store<TodoItem>;

/** Creates the stores to test. */
interface StoreUnderTest {
  readonly name: string;
  /** Creates a store without items. */
  make(): Items | Promise<Items>;
  /** Opens the same items as another process or a later run does. Omit it if the items are lost with the store. */
  again?(store: Items): Items | Promise<Items>;
  /** Creates a store for a single item. A name of 1,000 letters fits, a name of 100,000 letters does not. */
  makeFull?(): Items | Promise<Items>;
}

/**
 * Registers the tests for this kind of store with `node:test` (D76, D86). A test fails with an `AssertionError` if the
 * store differs from the array.
 *
 *     storeConformance({ name: 'in memory', make: () => new RepresentedCollection(todoSchema(), 'camelCase') });
 */
export function storeConformance(under: StoreUnderTest): void {
  const table = <R extends Row>(rows: readonly R[], run: (row: R) => Promise<void>): void => {
    for (const row of rows) test(`${under.name}: ${row.question} → ${row.answer}`, () => run(row));
  };
  const rows = STEPS.filter(({ needs }) => needs !== 'full' || under.makeFull !== undefined);
  table(rows, async ({ steps, needs }) => {
    const store = await (needs === 'full' ? under.makeFull!() : under.make());
    const checked = await Checked.of(store, under);
    for (const [at, step] of steps.entries()) await checked.take(step, at === steps.length - 1);
  });
  table(AT_ONCE, async ({ atOnce, change }) => {
    const checked = await Checked.of(await under.make(), under);
    await checked.take({ add: 'a' });
    await checked.takeAtOnce(atOnce, change);
  });
  table(SEEDS, async ({ before, seeds, found }) => {
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
/** Further members of the schema are null. */
const ABSENT = Object.fromEntries(Object.keys(todoSchema().properties).map((member) => [member, null]));
const valueOf = (key: string, name: string | null = 'a'): TodoItem =>
  Object.freeze({ ...ABSENT, key, name, isComplete: name === '' } as TodoItem);
const textOf = (key: string, { name }: { readonly name?: string | null }): string => write(valueOf(key, name));

interface Entry {
  readonly key: string;
  text: string;
  version: Version;
}

/** A store and the array that it must equal. */
class Checked {
  /** If another process shares the items, there are two stores and the steps alternate between them. */
  readonly #stores: readonly Items[];
  #turn = 0;
  #model: Entry[] = [];
  /** All versions of each item, by its key. */
  readonly #versions = new Map<string, Version[]>();
  /** All versions of the list. */
  readonly #lists: Version[] = [];

  private constructor(stores: readonly Items[]) {
    this.#stores = stores;
  }

  static async of(store: Items, { again }: StoreUnderTest): Promise<Checked> {
    const checked = new Checked([store, ...(again === undefined ? [] : [await again(store)])]);
    await checked.#compare(true);
    return checked;
  }

  /** Takes one step in the store and the array, and compares them. */
  async take(step: Step, isLast = true): Promise<void> {
    const { fails } = step;
    const list = await this.#stores[0]!.list();
    const before = 'body' in list ? bytesOf(list) : undefined;
    if (fails === 'taken' || fails === 'full') {
      // The class of a store's error may come from another copy of the library.
      await assert.rejects(this.#begin(step), fails === 'full' ? isFull : Error);
    } else {
      const result = await this.#begin(step);
      if (fails === 'same') assert.equal(result, 'remove' in step ? false : undefined);
      else this.#record(step, result);
    }
    await this.#compare(fails === undefined, isLast);
    // A streamed list is not checked: its stream opens before the next change.
    if (before !== undefined && 'body' in list)
      assert.ok(before.equals(bytesOf(list)), 'an earlier result of list() must not change');
  }

  /** Takes concurrent steps, `change` of which succeed, and checks that each item has the text of one of them. */
  async takeAtOnce(steps: readonly Step[], change: number): Promise<void> {
    const results = await Promise.allSettled(steps.map((step) => this.#begin(step)));
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.ok(errors.length === 0 || steps[0]!.fails === 'taken', String(errors[0]));
    const done = steps.filter((_, at) => (results[at] as { readonly value?: unknown }).value);
    assert.equal(done.length, change, 'the number of steps that report a change');
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
      const former = this.#model.find((entry) => entry.key === key);
      if (last.length > 0) this.#note(item);
      assert.ok((last.length > 0 ? last : [former?.text]).includes(item.text), `${key} has a text of no step`);
    }
    const order = JSON.parse(String(await bytesRead(await this.#stores[0]!.list()))).map(({ key }: TodoItem) => key);
    this.#model = items.toSorted((left, right) => order.indexOf(left.key) - order.indexOf(right.key));
    await this.#compare(true);
  }

  /** Calls the store synchronously. If the store throws, the promise rejects. */
  async #begin(step: Step): Promise<Representation<TodoItem> | boolean | undefined> {
    const store = this.#stores[this.#turn++ % this.#stores.length]!;
    if ('add' in step) return settled(store.add(step.add, valueOf(step.add, step.name)));
    const version = this.#versionFor(step);
    if ('remove' in step) return settled<boolean>(store.remove(step.remove, version));
    return settled(store.replace(step.replace, valueOf(step.replace, step.name), version));
  }

  #versionFor(step: Exclude<Step, { readonly add: string }>): Version | undefined {
    const key = keyOf(step);
    const [now, ...earlier] = this.#versions.get(key)?.toReversed() ?? [];
    switch (step.at) {
      case undefined:
        return undefined;
      case 'now':
        return now;
      case 'before':
        return this.#model.some((entry) => entry.key === key) ? earlier[0] : now;
      case 'z':
        return this.#versions.get('z')!.at(-1)!;
      case 'list':
        return this.#lists.find((version) => version !== now)!;
      case 'other':
        return typeof now === 'string' ? `${now}x` : 2 ** 50;
    }
  }

  /** Applies a successful step to the array. */
  #record(step: Step, result: unknown): void {
    const key = keyOf(step);
    const at = this.#model.findIndex((entry) => entry.key === key);
    if ('remove' in step) {
      assert.equal(result, true);
      this.#model.splice(at, 1);
      return;
    }
    const item = recorded(key, result as Representation<TodoItem> | undefined);
    assert.equal(item.text, textOf(key, step), 'the result of the change');
    this.#note(item);
    if ('add' in step) this.#model.push(item);
    else this.#model[at] = item;
  }

  #note({ key, version }: Entry): void {
    const versions = this.#versions.get(key) ?? [];
    assert.ok(!versions.includes(version), `${JSON.stringify(key)} has an earlier version again`);
    if (this.#stores.length > 1) assert.equal(typeof version, 'string', 'the version in a shared store must be a text');
    this.#versions.set(key, [...versions, version]);
  }

  /** Checks that each store equals the array. */
  async #compare(hasChanged: boolean, isLast = true): Promise<void> {
    const former = this.#lists.at(-1);
    // The list shows all items after each step. The single items of a long list are read only after the last step.
    const items = isLast || this.#model.length <= 20 ? this.#model : this.#model.slice(-1);
    for (const store of this.#stores) {
      const list = await settled(store.list());
      assert.equal(String(await bytesRead(list)), `[${this.#model.map(({ text }) => text).join(',')}]`, 'the list');
      if (list.version === undefined) assert.ok('stream' in list, 'a list without a version is streamed');
      else if (store !== this.#stores[0])
        assert.equal(list.version, this.#lists.at(-1), 'the version of the list in another process');
      else if (!hasChanged) assert.equal(list.version, former, 'the version of an unchanged list');
      else assert.ok(!this.#lists.includes(list.version), 'the list has an earlier version again');
      if (store === this.#stores[0] && hasChanged && list.version !== undefined) this.#lists.push(list.version);
      for (const item of items) assert.deepEqual(recorded(item.key, await settled(store.get(item.key))), item);
      for (const key of [...this.#versions.keys(), 'nobody', 'hasOwnProperty'])
        if (!this.#model.some((entry) => entry.key === key))
          assert.equal(await settled(store.get(key)), undefined, key);
    }
  }
}

const isFull = (error: unknown): boolean => error instanceof HttpProblem && error.status === 507;

const keyOf = (step: Step): string => ('add' in step ? step.add : 'remove' in step ? step.remove : step.replace);

/** Copies the state of an item, because a store may reuse its object. */
function recorded(key: string, item: Representation<TodoItem> | undefined): Entry {
  assert.ok(item !== undefined, `${JSON.stringify(key)} is missing`);
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

/** Checks that a promise is native, because the service waits only for native promises. */
async function settled<Value>(answer: Value | Promise<Value>): Promise<Value> {
  const isThenable = typeof (answer as Partial<Promise<Value>> | undefined)?.then === 'function';
  assert.ok(!isThenable || answer instanceof Promise, 'a thenable that is not a native promise');
  return answer;
}
