/**
 * Shows the last requests of the running service at `/trace`, for `--trace on`.
 *
 * It stands in front of the application and is no part of it: what is shown is the pipeline as it is without a trace.
 * The requests for the page itself are not recorded.
 */
import { logError } from '../extending.ts';
import type { Store } from '../extensions/collection/collection.ts';
import { type TodoItem, todoSchema } from '../extensions/todo/todo.ts';
import { localOnly } from '../extensions/trace/local-only.ts';
import { type AskedRequest, type RecordedAnswer, RecordedService } from '../extensions/trace/recorded-service.ts';
import { Recorder } from '../extensions/trace/recorder.ts';
import { LastRequests, tracePlugin } from '../extensions/trace/trace-plugin.ts';
import { application as composeApplication, type RunnableApplication } from '../index.ts';
import type { Servable, StageOrigin } from '../instrument.ts';
import { bodyValidator, isStreamed } from '../operations.ts';
import { type App, app, limitSettings } from './app.ts';
import type { Settings } from './settings/settings.ts';

/** Composes the service with its trace. Rejects as `app` does. */
export async function tracedService(settings: Settings): Promise<App> {
  const copy = new ServiceCopy(settings, () => made.items);
  const recorder = new TracingRecorder(settings.trace === 'any', copy);
  const made = await app(settings, recorder);
  recorder.watch(made.service.server);
  return made;
}

class TracingRecorder extends Recorder {
  readonly #requests = new LastRequests();
  readonly #copy: ServiceCopy;
  readonly #everyone: boolean;

  constructor(everyone: boolean, copy: ServiceCopy) {
    super((recording) => this.#requests.add(recording));
    this.#copy = copy;
    this.#everyone = everyone;
  }

  override servable(application: RunnableApplication): Servable {
    const recorded = super.servable(application);
    const shown = tracePlugin({ application, requests: this.#requests, copy: this.#copy });
    const trace = composeApplication([{ name: 'local', stages: [localOnly(this.#everyone)] }, shown]);
    application.whenStopping(() => void this.#copy.reset().catch(logError));
    const servableFor = (path: string): Servable => (/^\/trace(?:\/|$)/i.test(path) ? trace : recorded);
    return {
      ...recorded,
      handler: (context) => servableFor(context.path).handler(context),
      refuse: (context, problem) => servableFor(context.path).refuse!(context, problem),
    };
  }
}

interface Copy {
  readonly application: RunnableApplication;
  readonly recorder: Recorder;
  /** By the order of the stages. */
  readonly services: Map<string, RecordedService>;
}

/**
 * A copy of the service, to which requests are sent one after the other. It has a store of its own: what is tried
 * changes nothing outside. It is composed at the first request, with the items of the service at that time, and keeps
 * what is tried until it is made anew. Its stages may stand in another order.
 */
class ServiceCopy {
  readonly #settings: Settings;
  readonly #items: () => Store<TodoItem>;
  #copy: Promise<Copy> | undefined;
  #copies = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `items` are those that the copy begins with. */
  constructor(settings: Settings, items: () => Store<TodoItem>) {
    // It writes no log of access, answers no trace, and touches no store of the service.
    const store = { store: 'memory', maxItems: Infinity, maxStoreBytes: undefined } as const;
    this.#settings = { ...settings, ...store, trace: 'off', accessLog: undefined, workers: 1 };
    this.#items = items;
  }

  /** Sends a request to the copy, with its stages in the order of these. Rejects with the error of a failed start. */
  send(request: AskedRequest, order: readonly StageOrigin[]): Promise<RecordedAnswer> {
    return this.#inTurn(async () => {
      const { application, services, recorder } = await (this.#copy ??= this.#composed());
      const numbers = numbersOf(order, application);
      const key = numbers.join();
      const made = () => new RecordedService(application, recorder, limitSettings(this.#settings), numbers);
      const service = services.get(key) ?? made();
      services.set(key, service);
      return service.ask(request);
    });
  }

  /** Stops the copy. The next request makes another. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      const copy = this.#copy;
      this.#copy = undefined;
      await (await copy?.catch(() => undefined))?.application.stop();
    });
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(action);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #composed(): Promise<Copy> {
    let started: RunnableApplication | undefined;
    try {
      const recorder = new Recorder(undefined, ++this.#copies);
      const { application, items } = await app(this.#settings, recorder);
      await application.start();
      started = application;
      await copyItems(this.#items(), items, this.#settings);
      return { application, recorder, services: new Map() };
    } catch (error) {
      this.#copy = undefined;
      await started?.stop();
      throw error;
    }
  }
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
