/**
 * Formats trials as lines of text:
 *
 *     ✗ PUT  api/todo/{id}              method is GET, route wants PUT
 *     ✗ GET  api/{controller}/{id:int}  {id:int} rejects "x7"
 *     ✓ GET  api/todo/{id}              {"id":"x7"}
 */

import type { LinkTrial, RouteTrial } from './explain-request.ts';
import type { Route } from './route/route.ts';

/** Returns one line per trial, in columns, without a line feed at the end. */
export function explainText(trials: readonly (RouteTrial | LinkTrial)[]): string {
  const widthOf = (text: (route: Route) => string): number =>
    Math.max(0, ...trials.map(({ route }) => text(route).length));
  const methodsWidth = widthOf(methodsText);
  const templateWidth = widthOf(({ template }) => template.text);
  const lines = trials.map((trial) => {
    const methods = methodsText(trial.route).padEnd(methodsWidth);
    const template = trial.route.template.text.padEnd(templateWidth);
    return `${trial.accepted ? '✓' : '✗'} ${methods}  ${template}  ${outcomeText(trial)}`;
  });
  return lines.join('\n');
}

const methodsText = ({ method = '*' }: Route): string => [method].flat().join(',').toUpperCase();

function outcomeText(trial: RouteTrial | LinkTrial): string {
  if ('path' in trial) return trial.path;
  if (trial.accepted) return JSON.stringify(trial.values) + boundsText(trial);
  return 'status' in trial ? `${trial.reason}: answered ${trial.status}` : trial.reason + boundsText(trial);
}

/** What its constraints that bound the length of a value cost; empty for none. */
export function boundsText(trial: RouteTrial | LinkTrial): string {
  let text = '';
  for (const { name, constraint, degree, maxLength } of 'bounds' in trial ? trial.bounds : [])
    text += `, {${name}:${constraint}} costs length^${degree}: at most ${maxLength} characters`;
  return text;
}
