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
import { LastRequests, type Traced, tracePlugin } from '../extensions/trace/trace-plugin.ts';
import { application as composeApplication, type RunnableApplication } from '../index.ts';
import type { HttpService, Servable, StageOrigin } from '../instrument.ts';
import { bodyValidator, isStreamed } from '../operations.ts';
import { limitSettings } from './app.ts';
import type { Settings } from './settings/settings.ts';

/** How many requests are kept. */
const KEPT = 50;

/** Composes the service with its trace. Rejects as `compose` does. */
export async function tracedService<Made extends Composed & { readonly service: HttpService }>(
  settings: Settings,
  compose: Compose<Made>,
): Promise<Made> {
  let items: Store<TodoItem>;
  const workbench = new Workbench(settings, compose, () => items);
  const recorder = new TracingRecorder(settings.trace === 'any', workbench);
  const made = await compose(settings, recorder);
  items = made.items;
  recorder.watch(made.service.server);
  return made;
}

class TracingRecorder extends Recorder {
  readonly #requests: LastRequests;
  readonly #workbench: Workbench;
  readonly #everyone: boolean;

  constructor(everyone: boolean, workbench: Workbench) {
    const requests = new LastRequests(KEPT);
    super(requests.add);
    this.#requests = requests;
    this.#workbench = workbench;
    this.#everyone = everyone;
  }

  override servable(application: RunnableApplication): Servable {
    const recorded = super.servable(application);
    const traced: Traced = { application, requests: this.#requests, workbench: this.#workbench };
    const trace = composeApplication([{ name: 'local', stages: [localOnly(this.#everyone)] }, tracePlugin(traced)]);
    application.whenStopping(() => void this.#workbench.reset().catch(logError));
    return {
      ...recorded,
      handler: (context) => (isBelowTrace(context.path) ? trace.handler(context) : recorded.handler(context)),
      refuse: (context, problem) =>
        isBelowTrace(context.path) ? trace.refuse(context, problem) : recorded.refuse!(context, problem),
    };
  }
}

const isBelowTrace = (path: string): boolean => /^\/trace(?:\/|$)/i.test(path);

/** What the service is composed to, as far as a copy needs it. */
export interface Composed {
  readonly application: RunnableApplication;
  readonly items: Store<TodoItem>;
}

/** Composes a service with these settings, with a recorder put around its routes. */
export type Compose<Made extends Composed = Composed> = (settings: Settings, recorder: Recorder) => Promise<Made>;

interface Copy {
  readonly application: RunnableApplication;
  /** By the order of the stages. */
  readonly services: Map<string, RecordedService>;
  readonly recorder: Recorder;
}

/** One copy, whose requests are answered one after the other. */
export class Workbench {
  readonly #settings: Settings;
  readonly #compose: Compose;
  readonly #items: () => Store<TodoItem>;
  #copy: Promise<Copy> | undefined;
  #copies = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `items` are those that a new copy begins with. */
  constructor(settings: Settings, compose: Compose, items: () => Store<TodoItem>) {
    // It writes no log of access, answers no trace, and touches no store of the service.
    const store = { store: 'memory', maxItems: Infinity, maxStoreBytes: undefined } as const;
    this.#settings = { ...settings, ...store, trace: 'off', accessLog: undefined, workers: 1 };
    this.#compose = compose;
    this.#items = items;
  }

  /** Sends a request to the copy, with its stages in the order of these. Rejects with the error of a failed start. */
  send(request: AskedRequest, order: readonly StageOrigin[]): Promise<RecordedAnswer> {
    return this.#inTurn(async () => {
      const { application, services, recorder } = await (this.#copy ??= this.#made());
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

  async #made(): Promise<Copy> {
    let started: RunnableApplication | undefined;
    try {
      const recorder = new Recorder(undefined, ++this.#copies);
      const { application, items } = await this.#compose(this.#settings, recorder);
      await application.start();
      started = application;
      await copyItems(this.#items(), items, this.#settings);
      return { application, services: new Map(), recorder };
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
