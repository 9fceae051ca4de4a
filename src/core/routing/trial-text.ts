/** Tells in words what a route answers to a request or to the values for a link. */
import type { LinkTrial, RouteTrial } from './explain-request.ts';
import type { Route } from './route/route.ts';

/** The methods of a route: `GET,HEAD`, `*` for any. */
export const methodsText = ({ method = '*' }: Route): string => [method].flat().join(',').toUpperCase();

/** The values of a route that matches, or why it does not: `{"id":"x7"}`, `{id:int} rejects "x7"`; a link. */
export function trialText(trial: RouteTrial | LinkTrial): string {
  if ('path' in trial) return trial.path;
  if (trial.accepted) return JSON.stringify(trial.values) + boundsText(trial);
  if ('untried' in trial) return `not tried: ${trial.reason}`;
  return 'status' in trial ? `${trial.reason}: answered ${trial.status}` : trial.reason + boundsText(trial);
}

/** What its constraints that bound the length of a value cost; empty for none. */
function boundsText(trial: RouteTrial | LinkTrial): string {
  let text = '';
  for (const { name, constraint, degree, maxLength } of 'bounds' in trial ? trial.bounds : [])
    text += `, {${name}:${constraint}} costs length^${degree}: at most ${maxLength} characters`;
  return text;
}
