/**
 * Formats trials as lines of text:
 *
 *     ✗ PUT  api/todo/{id}              method is GET, route wants PUT
 *     ✗ GET  api/{controller}/{id:int}  {id:int} rejects "x7"
 *     ✓ GET  api/todo/{id}              {"id":"x7"}
 */
import type { Route } from './route/route.ts';
import type { LinkTrial, RouteTrial } from './trial.ts';

/** Returns one line per trial, in columns, without a line feed at the end. */
export function explainText(trials: readonly (RouteTrial | LinkTrial)[]): string {
  const rows = trials.map((trial) => ({
    mark: trial.accepted ? '✓' : '✗',
    methods: methodsText(trial.route),
    template: trial.route.template.text,
    outcome: outcomeText(trial),
  }));
  const methodsWidth = Math.max(0, ...rows.map(({ methods }) => methods.length));
  const templateWidth = Math.max(0, ...rows.map(({ template }) => template.length));
  return rows
    .map(
      ({ mark, methods, template, outcome }) =>
        `${mark} ${methods.padEnd(methodsWidth)}  ${template.padEnd(templateWidth)}  ${outcome}`,
    )
    .join('\n');
}

const methodsText = ({ methods = '*' }: Route): string => [methods].flat().join(',').toUpperCase();

function outcomeText(trial: RouteTrial | LinkTrial): string {
  if ('path' in trial) return trial.path;
  if (trial.accepted) return JSON.stringify(trial.values) + boundsText(trial);
  return 'status' in trial ? `${trial.reason}: answered ${trial.status}` : trial.reason + boundsText(trial);
}

const boundsText = (trial: RouteTrial | LinkTrial): string =>
  ('bounds' in trial ? trial.bounds : [])
    .map(
      ({ name, constraint, degree, maxLength }) =>
        `, {${name}:${constraint}} costs length^${degree}: at most ${maxLength} characters`,
    )
    .join('');
