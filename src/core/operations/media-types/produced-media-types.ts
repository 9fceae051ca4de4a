/** Lists the media types in which an operation answers (D14, D72). */
import type { Operation } from '../operation/operation.ts';

type Produced = Pick<Operation, 'produces' | 'responses' | 'writers'>;

const successes = ({ responses }: Produced) =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));

/** Those in which a value is written, among which `Accept` chooses: JSON where a success has a schema, and writers. */
export function writtenMediaTypes(operation: Produced): readonly string[] {
  const hasSchema = successes(operation).some(({ schema }) => schema !== undefined);
  return operation.produces ?? (hasSchema ? ['application/json', ...Object.keys(operation.writers ?? {})] : []);
}

/** All: the written ones, and those of bodies that are sent as they are. */
export const producedMediaTypes = (operation: Produced): readonly string[] => [
  ...new Set([...writtenMediaTypes(operation), ...successes(operation).flatMap(({ mediaType }) => mediaType ?? [])]),
];
