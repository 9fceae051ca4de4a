/** Asks the plugins of an application for the parts that belong to it alone. */
import { thrownMessage } from '../log/thrown-value.ts';
import { type Application, membersOf, type Plugin, PluginError, type PluginParts, partsFault } from './plugin.ts';

/**
 * Returns the plugins, each followed by the result of its `parts` as a plugin with the same name and prefix.
 * `applicationAt` returns the input of `parts` for a prefix. Throws a `PluginError` if `parts` throws or returns another
 * value, and for a mounted plugin with an instrument.
 */
export function withParts(
  plugins: readonly Plugin[],
  applicationAt: (prefix: string | undefined) => Application,
): readonly Plugin[] {
  const added = plugins.flatMap((plugin): readonly Plugin[] => {
    const { name, prefix, parts } = plugin;
    return parts === undefined ? [plugin] : [plugin, { ...partsOf(plugin, applicationAt(prefix)), name, prefix }];
  });
  for (const { name, prefix, instrument } of added)
    if (prefix !== undefined && instrument !== undefined) {
      const reason = 'its instrument wraps the whole application; add the plugin to application([…]) itself';
      throw new PluginError('Cannot mount the plugin', name, reason);
    }
  return added;
}

function partsOf(plugin: Plugin, application: Application): PluginParts {
  let parts: unknown;
  try {
    parts = plugin.parts!(application);
  } catch (error) {
    throw new PluginError('Cannot add the plugin', plugin.name, thrownMessage(error), { cause: error });
  }
  const fault = partsFault(parts);
  if (fault !== undefined) throw new PluginError('Cannot add the plugin', plugin.name, fault);
  return membersOf(parts as PluginParts);
}
