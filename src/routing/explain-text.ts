/**
 * Trials as lines of text, for people:
 *
 *     ✗ PUT  api/todo/{id}              method is GET, route wants PUT
 *     ✗ GET  api/{controller}/{id:int}  {id:int} rejects "x7"
 *     ✓ GET  api/todo/{id}              {"id":"x7"}
 */
import type { Route } from './route/route.ts';
import type { LinkTrial, RouteTrial } from './trial.ts';

/** One line per route, in order; no line ends in a line feed. Works for requests and for links. */
export function explainText(trials: readonly (RouteTrial | LinkTrial)[]): string {
  const rows = trials.map(
    (trial) => [methodsText(trial.route), trial.route.template.text, outcomeText(trial)] as const,
  );
  const methods = Math.max(0, ...rows.map(([text]) => text.length)),
    templates = Math.max(0, ...rows.map(([, text]) => text.length));
  return rows
    .map(
      ([method, template, outcome], at) =>
        `${trials[at]!.accepted ? '✓' : '✗'} ${method.padEnd(methods)}  ${template.padEnd(templates)}  ${outcome}`,
    )
    .join('\n');
}

const methodsText = ({ methods }: Route): string =>
  methods === undefined ? '*' : typeof methods === 'string' ? methods.toUpperCase() : methods.join(',').toUpperCase();

function outcomeText(trial: RouteTrial | LinkTrial): string {
  if (!trial.accepted)
    return 'status' in trial ? `${trial.reason}: answered ${trial.status}` : trial.reason + costsText(trial);
  return 'path' in trial ? trial.path : JSON.stringify(trial.values) + costsText(trial);
}

/** What the constraints of a route cost, where that is more than the length. */
const costsText = (trial: RouteTrial | LinkTrial): string =>
  ('bounds' in trial ? trial.bounds : [])
    .map(
      ({ name, constraint, degree, maxLength }) =>
        `, {${name}:${constraint}} costs length^${degree}: at most ${maxLength} characters`,
    )
    .join('');
