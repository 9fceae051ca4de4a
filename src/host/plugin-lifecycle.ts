/** Starts and stops the plugins of an application. */
import { thrownMessage } from '../log/thrown-value.ts';
import type { Application, Plugin } from './plugin.ts';

/** The plugins of an application, and those of them that have started. */
export class PluginLifecycle {
  readonly #plugins: readonly Plugin[];
  #started: Plugin[] = [];

  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins;
  }

  /** Starts them in order. Where one fails, stops those that have started and rejects with an error that names it. */
  async start(application: Application): Promise<void> {
    for (const plugin of this.#plugins) {
      try {
        await plugin.start?.(application);
      } catch (error) {
        await this.stop().catch(() => {});
        throw new Error(`Cannot start the plugin "${plugin.name}": ${thrownMessage(error)}`, { cause: error });
      }
      this.#started.push(plugin);
    }
  }

  /**
   * Stops those that have started, in reverse order. Rejects with an `AggregateError` after all of them, where any
   * failed.
   */
  async stop(): Promise<void> {
    const errors: unknown[] = [];
    for (const plugin of this.#started.splice(0).reverse()) {
      try {
        await plugin.stop?.();
      } catch (error) {
        const reason = thrownMessage(error);
        errors.push(new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${reason}`, { cause: error }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }
}
