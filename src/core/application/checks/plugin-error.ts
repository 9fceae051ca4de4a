/** Declares the error for a plugin that cannot be part of an application: its file, shape, name or routes are wrong. */
export class PluginError extends Error {
  /** The name of the plugin; the name of its file where the plugin has none. */
  readonly plugin: string;
  /** The cause and the remedy, on one line. */
  readonly reason: string;

  constructor(attempt: string, plugin: string, reason: string, options?: ErrorOptions) {
    const line = reason.replace(/\s*[\r\n]\s*/g, ' ');
    super(`${attempt} "${plugin}": ${line}`, options);
    this.name = 'PluginError';
    this.plugin = plugin;
    this.reason = line;
  }
}
