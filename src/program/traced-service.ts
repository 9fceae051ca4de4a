/**
 * Shows the last requests of the running service at `/trace`, for `--trace on`.
 *
 * It stands in front of the application and is no part of it: what is shown is the pipeline as it is without a trace.
 * The requests for the page itself are not recorded.
 */
import { logError } from '../extending.ts';
import type { Store } from '../extensions/collection/collection.ts';
import { type TodoItem, todoSchema } from '../extensions/todo/todo.ts';
import { recordedService } from '../extensions/trace/recorded-service.ts';
import { Recorder } from '../extensions/trace/recorder.ts';
import { LastRequests, tracePlugin } from '../extensions/trace/trace-plugin.ts';
import { application as composeApplication, type RunnableApplication } from '../index.ts';
import type { Servable, StageOrigin } from '../instrument.ts';
import { bodyValidator, isStreamed } from '../operations.ts';
import { type App, app, limitSettings } from './app.ts';
import type { Settings } from './settings/settings.ts';

/** Composes the service with its trace. Rejects as `app` does. */
export async function tracedService(settings: Settings): Promise<App> {
  const requests = new LastRequests();
  const copy = serviceCopy(settings, () => made.items);

  class TracingRecorder extends Recorder {
    override servable(application: RunnableApplication): Servable {
      const recorded = super.servable(application);
      const shown = tracePlugin({ application, requests, copy, everyone: settings.trace === 'any' });
      const trace = composeApplication([shown]);
      application.whenStopping(() => void copy.reset().catch(logError));
      const servableFor = (path: string): Servable => (/^\/trace(?:\/|$)/i.test(path) ? trace : recorded);
      return {
        ...recorded,
        handler: (context) => servableFor(context.path).handler(context),
        refuse: (context, problem) => servableFor(context.path).refuse!(context, problem),
      };
    }
  }

  const recorder = new TracingRecorder((recording) => requests.add(recording));
  const made = await app(settings, recorder);
  recorder.watch(made.service.server);
  return made;
}

/**
 * A copy of the service, to which requests are sent one after the other. It has a store of its own: what is tried
 * changes nothing outside. It is composed at the first request, with the items of the service at that time, and keeps
 * what is tried until it is made anew. Its stages may stand in another order.
 */
function serviceCopy(service: Settings, items: () => Store<TodoItem>): Parameters<typeof tracePlugin>[0]['copy'] {
  // It writes no log of access, answers no trace, and touches no store of the service.
  const store = { store: 'memory', maxItems: Infinity, maxStoreBytes: undefined } as const;
  const settings: Settings = { ...service, ...store, trace: 'off', accessLog: undefined, workers: 1 };
  let composing: ReturnType<typeof composed> | undefined;
  let copies = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const turn = last.then(action);
    last = turn.catch(() => {});
    return turn;
  }

  async function composed() {
    const recorder = new Recorder(undefined, ++copies);
    const copy = await app(settings, recorder);
    await copy.application.start();
    try {
      await copyItems(items(), copy.items, settings);
    } catch (error) {
      await copy.application.stop();
      throw error;
    }
    // By the order of the stages.
    return { application: copy.application, recorder, services: new Map<string, ReturnType<typeof recordedService>>() };
  }

  return {
    send: (request, order) =>
      inTurn(async () => {
        composing ??= composed();
        const { application, services, recorder } = await composing.catch((error: unknown) => {
          composing = undefined;
          throw error;
        });
        const numbers = numbersOf(order, application);
        const key = numbers.join();
        const made = services.get(key) ?? recordedService(application, recorder, limitSettings(settings), numbers);
        services.set(key, made);
        return made(request);
      }),
    reset: () =>
      inTurn(async () => {
        const copy = await composing;
        composing = undefined;
        await copy?.application.stop();
      }),
  };
}

/** The numbers of the stages in the copy, which has no stage of the access log. */
function numbersOf(order: readonly StageOrigin[], { stageOrigins }: RunnableApplication): readonly number[] {
  const key = ({ plugin, place, name }: StageOrigin): string => [plugin, place ?? name].join();
  const numbers = new Map(stageOrigins.map((origin, number) => [key(origin), number]));
  return order.flatMap((origin) => numbers.get(key(origin)) ?? []);
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
