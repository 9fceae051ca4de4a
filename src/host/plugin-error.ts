/** A plugin that cannot be part of the application: its file, its shape, its name or its routes are wrong. */
export class PluginError extends Error {
  /** Its name, or its file where it never got as far as a name. */
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
