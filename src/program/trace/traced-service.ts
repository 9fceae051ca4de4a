/**
 * Shows the last requests of the running service at `/trace`, for `--trace on`.
 *
 * It stands in front of the application and is no part of it: what is shown is the pipeline as it is without a trace.
 * The requests for the page itself are not recorded.
 */

import { logError } from '../../extending.ts';
import type { Store } from '../../extensions/collection/collection.ts';
import type { TodoItem } from '../../extensions/todo/todo.ts';
import { LastRequests } from '../../extensions/trace/live/last-requests.ts';
import { localOnly } from '../../extensions/trace/live/local-only.ts';
import { type Traced, tracePlugin } from '../../extensions/trace/live/trace-plugin.ts';
import { Recorder } from '../../extensions/trace/recording/recorder.ts';
import { application as composeApplication, type RunnableApplication } from '../../index.ts';
import type { HttpService, Servable } from '../../instrument.ts';
import type { Settings } from '../settings/settings.ts';
import { type Compose, type Composed, Workbench } from './workbench.ts';

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
