/**
 * The trace of this service, for `--trace on`, and the copy to which requests are sent again. The copy has a store of
 * its own: what is tried changes nothing outside. It begins with the items of the service at that time (D94).
 */
import type { Store } from '../extensions/collection/collection.ts';
import { type TodoItem, todoSchema } from '../extensions/todo/todo.ts';
import { type Trace, trace } from '../extensions/trace/trace.ts';
import type { ListenerOptions, RunnableApplication } from '../index.ts';
import { bodyValidator, isStreamed } from '../operations.ts';
import type { Settings } from './settings/settings.ts';

/** Composes the service with these settings, its plugin files loaded anew for the copy of this number. */
type Compose = (
  settings: Settings,
  copy: number,
) => Promise<{ readonly application: RunnableApplication; readonly items: Store<TodoItem> }>;

/**
 * The plugin for the service with these settings and items, its page elsewhere with an admin port. Who asks for the
 * trace asks for it in production, too.
 */
export function serviceTrace(
  service: Settings,
  items: Store<TodoItem>,
  compose: Compose,
  limits: ListenerOptions['limits'],
  hasAdmin: boolean,
): Trace {
  // The copy writes no log of access, answers no trace, and touches no store of the service.
  const store = { store: 'memory', maxItems: Infinity, maxStoreBytes: undefined } as const;
  const settings: Settings = { ...service, ...store, trace: 'off', accessLog: undefined };
  let copies = 0;
  const copy = async (): Promise<RunnableApplication> => {
    const made = await compose(settings, ++copies);
    await made.application.start();
    try {
      await copyItems(items, made.items, settings);
    } catch (error) {
      await made.application.stop();
      throw error;
    }
    return made.application;
  };
  return trace({ everyone: service.trace === 'any', inProduction: true, copy, limits, apart: hasAdmin });
}

/** The items of one store in place of those of the other. A list that is too large for one text is not copied. */
async function copyItems(
  from: Store<TodoItem>,
  to: Store<TodoItem>,
  { propertyNaming, model }: Settings,
): Promise<void> {
  const read = bodyValidator({ type: 'array', items: todoSchema(model) }, propertyNaming);
  const valuesIn = async (store: Store<TodoItem>): Promise<readonly TodoItem[] | undefined> => {
    const list = await store.list();
    if (isStreamed(list)) return undefined;
    const text = typeof list.body === 'string' ? list.body : Buffer.concat(list.body).toString('utf8');
    return (read(JSON.parse(text), text).value ?? []) as readonly TodoItem[];
  };
  const values = await valuesIn(from);
  if (values === undefined) return;
  for (const { key } of (await valuesIn(to)) ?? []) await to.remove(key!);
  for (const value of values) await to.add(value.key!, value);
}
