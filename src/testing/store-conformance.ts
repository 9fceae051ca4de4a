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
import { AT_ONCE, type Row, SEEDS, STEPS, STEPS_IF_FULL, type Step } from './store-steps.ts';

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
  const table = <R extends Row>(rows: readonly R[], make: StoreUnderTest['make'], run: Run<R>): void => {
    for (const row of rows)
      test(`${under.name}: ${row.question} → ${row.answer}`, async () => {
        const store = await make();
        await run(await Checked.of([store, ...(under.again === undefined ? [] : [await under.again(store)])]), row);
      });
  };
  const takeEach: Run<Row> = async (checked, { steps }) => {
    for (const [at, step] of steps.entries()) await checked.take(step, at === steps.length - 1);
  };
  table(STEPS, under.make, takeEach);
  if (under.makeFull !== undefined) table(STEPS_IF_FULL, under.makeFull, takeEach);
  table(AT_ONCE, under.make, async (checked, { steps, change }) => {
    await checked.take({ act: 'add', key: 'a' });
    await checked.takeAtOnce(steps, change);
  });
  table(SEEDS, under.make, async (checked, { steps, seeds, found }) => {
    const { stores } = checked;
    if (stores[0].seed === undefined) return;
    for (const step of steps) await checked.take(step);
    const calls = seeds.map((key, at) => stores[at % stores.length]!.seed!(key, valueOf({ key })));
    for (const call of calls) await settled(call);
    const keys = await keysOf(stores[0]);
    assert.equal(keys.length, found);
    assert.ok(keys.every((key) => seeds.includes(key)));
  });
}

type Run<R> = (checked: Checked, row: R) => Promise<void>;

const write = serializer(todoSchema(), 'camelCase');
/** Further members of the schema are null. */
const ABSENT = Object.fromEntries(Object.keys(todoSchema().properties).map((member) => [member, null]));
const valueOf = ({ key, name = 'a' }: Pick<Step, 'key' | 'name'>): TodoItem =>
  Object.freeze({ ...ABSENT, key, name, isComplete: name === '' } as TodoItem);
const textOf = (step: Step): string => write(valueOf(step));

interface Entry {
  readonly key: string;
  text: string;
  version: Version;
}

/** A store and the array that it must equal. */
class Checked {
  /** If another process shares the items, there are two stores and the steps alternate between them. */
  readonly stores: readonly [Items, ...Items[]];
  #turn = 0;
  #model: Entry[] = [];
  /** All versions of each item, by its key. */
  readonly #versions = new Map<string, Version[]>();
  /** All versions of the list. */
  readonly #lists: Version[] = [];

  private constructor(stores: readonly [Items, ...Items[]]) {
    this.stores = stores;
  }

  static async of(stores: readonly [Items, ...Items[]]): Promise<Checked> {
    const checked = new Checked(stores);
    await checked.#compare(true);
    return checked;
  }

  /** Takes one step in the store and the array, and compares them. */
  async take(step: Step, isLast = true): Promise<void> {
    const { fails } = step;
    const list = await this.stores[0]!.list();
    const before = 'body' in list ? bytesOf(list) : undefined;
    if (fails === 'taken' || fails === 'full') {
      // The class of a store's error may come from another copy of the library.
      await assert.rejects(this.#begin(step), fails === 'full' ? isFull : Error);
    } else {
      const result = await this.#begin(step);
      if (fails === 'same') assert.equal(result, step.act === 'remove' ? false : undefined);
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
    const removed = done.flatMap(({ act, key }) => (act === 'remove' ? [key] : []));
    const keys = new Set([...this.#model, ...done].map(({ key }) => key).filter((key) => !removed.includes(key)));
    const order = await keysOf(this.stores[0]);
    assert.deepEqual(new Set(order), keys, 'the keys in the list');
    const former = this.#model;
    this.#model = [];
    for (const key of order) {
      const item = recorded(key, await this.stores[0].get(key));
      const changes = done.filter((step) => step.key === key);
      const texts = changes.length > 0 ? changes.map(textOf) : [former.find((entry) => entry.key === key)?.text];
      assert.ok(texts.includes(item.text), `${key} has a text of no step`);
      if (changes.length > 0) this.#note(item);
      this.#model.push(item);
    }
    await this.#compare(true);
  }

  /** Calls the store synchronously. If the store throws, the promise rejects. */
  async #begin(step: Step): Promise<Representation<TodoItem> | boolean | undefined> {
    const store = this.stores[this.#turn++ % this.stores.length]!;
    if (step.act === 'add') return settled(store.add(step.key, valueOf(step)));
    const version = this.#versionFor(step);
    if (step.act === 'remove') return settled<boolean>(store.remove(step.key, version));
    return settled(store.replace(step.key, valueOf(step), version));
  }

  #versionFor({ key, at }: Step): Version | undefined {
    const [now, ...earlier] = this.#versions.get(key)?.toReversed() ?? [];
    switch (at) {
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
    const { act, key } = step;
    const at = this.#model.findIndex((entry) => entry.key === key);
    if (act === 'remove') {
      assert.equal(result, true);
      this.#model.splice(at, 1);
      return;
    }
    const item = recorded(key, result as Representation<TodoItem> | undefined);
    assert.equal(item.text, textOf(step), 'the result of the change');
    this.#note(item);
    if (act === 'add') this.#model.push(item);
    else this.#model[at] = item;
  }

  #note({ key, version }: Entry): void {
    const versions = this.#versions.get(key) ?? [];
    assert.ok(!versions.includes(version), `${JSON.stringify(key)} has an earlier version again`);
    if (this.stores.length > 1) assert.equal(typeof version, 'string', 'the version in a shared store must be a text');
    this.#versions.set(key, [...versions, version]);
  }

  /** Checks that each store equals the array. */
  async #compare(hasChanged: boolean, isLast = true): Promise<void> {
    const former = this.#lists.at(-1);
    // The list shows all items after each step. The single items of a long list are read only after the last step.
    const items = isLast || this.#model.length <= 20 ? this.#model : this.#model.slice(-1);
    for (const store of this.stores) {
      const list = await settled(store.list());
      assert.equal(String(await bytesRead(list)), `[${this.#model.map(({ text }) => text).join(',')}]`, 'the list');
      if (list.version === undefined) assert.ok('stream' in list, 'a list without a version is streamed');
      else if (store !== this.stores[0])
        assert.equal(list.version, this.#lists.at(-1), 'the version of the list in another process');
      else if (!hasChanged) assert.equal(list.version, former, 'the version of an unchanged list');
      else assert.ok(!this.#lists.includes(list.version), 'the list has an earlier version again');
      if (store === this.stores[0] && hasChanged && list.version !== undefined) this.#lists.push(list.version);
      for (const item of items) assert.deepEqual(recorded(item.key, await settled(store.get(item.key))), item);
      for (const key of [...this.#versions.keys(), 'nobody', 'hasOwnProperty'])
        if (!this.#model.some((entry) => entry.key === key))
          assert.equal(await settled(store.get(key)), undefined, key);
    }
  }
}

const isFull = (error: unknown): boolean => error instanceof HttpProblem && error.status === 507;

const keysOf = async (store: Items): Promise<string[]> =>
  JSON.parse(String(await bytesRead(await settled(store.list())))).map(({ key }: TodoItem) => key);

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
