/** Collects what the stages of plugins answer in the place of an operation (D79). */
import { PluginError } from '../../core/application/plugin.ts';
import { thrownMessage } from '../../core/log/thrown-value.ts';
import { splitPath } from '../../core/message/path.ts';
import { sameText } from '../../core/message/text.ts';
import { isRecord } from '../../core/options/shape.ts';
import type { Composition } from '../../core/routing/composition.ts';
import type { RouteTemplate } from '../../core/routing/template.ts';
import { assertSharedResponses } from '../media-types/assert-responses.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { Responses } from '../operation/operation.ts';
import { addedResponses } from '../operations.ts';

/**
 * The responses that the plugins add to the operation, for each plugin. Throws a `PluginError` for responses that
 * cannot be described, and for a function that fails.
 */
export const responsesOfPlugins = (
  { offered }: Composition,
  routed: RoutedOperation,
  template: RouteTemplate,
): readonly Responses[] =>
  offered(addedResponses).map(({ value, plugin, prefix }) => {
    if (prefix !== undefined && !canBeBelow(template, splitPath(prefix))) return {};
    try {
      const responses: unknown = typeof value === 'function' ? withoutUndefined(value(routed)) : value;
      const receiver = typeof value === 'function' ? ` to the operation "${routed.id}"` : '';
      assertSharedResponses(responses, `the plugin "${plugin}"${receiver}`);
      return responses as Responses;
    } catch (error) {
      throw new PluginError('Cannot add the responses of the plugin', plugin, thrownMessage(error), { cause: error });
    }
  });

/** Can a path of this template have these segments at its beginning? A parameter can have any value. */
function canBeBelow({ segments }: RouteTemplate, prefix: readonly string[]): boolean {
  const [last] = segments.at(-1) ?? [];
  const hasCatchAll = last?.kind === 'parameter' && last.catchAll;
  return prefix.every((text, depth) => {
    const segment = segments[depth];
    if (segment === undefined) return hasCatchAll;
    const [part] = segment;
    return segment.length > 1 || part!.kind === 'parameter' || sameText(part!.text, text);
  });
}

/** Without the statuses that are undefined. A value that is not a plain object stays as it is, and is refused. */
function withoutUndefined(responses: unknown): unknown {
  if (!isRecord(responses) || 'then' in responses) return responses;
  return Object.fromEntries(Object.entries(responses).filter(([, response]) => response !== undefined));
}
