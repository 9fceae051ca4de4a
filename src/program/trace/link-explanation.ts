/** Tells which route makes a link of the values, and why the others do not, for `npm run explain -- --link`. */

import { hint } from '../../extending.ts';
import { inColumns } from '../../extensions/trace/explain/columns.ts';
import { routeFacts } from '../../extensions/trace/recording/route-verdicts.ts';
import type { RunnableApplication } from '../../index.ts';
import { SettingsError } from '../settings/settings.ts';
import type { Question } from './question.ts';

/** Why each route was or was not taken, and the link. Throws a `SettingsError` for a name that no route has. */
export function linkText(
  { routes, basePath = '' }: Pick<RunnableApplication, 'routes' | 'basePath'>,
  { name, values, ambient, asJson }: Extract<Question, { kind: 'link' }>,
): string {
  const trials = routes.explainLink(values, { ambient, ...(name !== undefined && { name }) });
  if (trials.length === 0) {
    const names = [...routes].flatMap((route) => route.name ?? []);
    throw new SettingsError(
      `Cannot explain a link to "${name}": no route has this name${hint(name!, names)}; give one of ${names.join(', ')}`,
    );
  }
  const taken = trials.find(({ accepted }) => accepted);
  const rows = [...routes].map((route) => {
    const trial = trials.find((one) => one.route === route);
    const facts = { name: '', ...routeFacts(route) };
    if (trial === undefined) return { ...facts, mark: '-', text: `not tried: its name is not ${name}` };
    if (!trial.accepted) return { ...facts, mark: '✗', text: trial.reason };
    if (trial === taken) return { ...facts, mark: '✓', text: trial.path };
    return { ...facts, mark: '-', text: 'would make one too, but an earlier route is taken' };
  });
  const link = taken?.accepted ? basePath + taken.path : undefined;
  // Without a link, what became of the values is told for a route that was asked for by its name.
  const told = (taken ?? (name === undefined ? undefined : trials[0]))?.values ?? [];
  if (asJson) {
    const facts = rows.map(({ mark, ...row }) => ({ ...row, taken: mark === '✓' }));
    return JSON.stringify({ link, values: told, routes: facts }, null, 2);
  }
  const lines = inColumns(
    rows.map(({ mark, methods, ...row }) => [`${mark} ${methods}`, row.template, row.name, row.text]),
  );
  const uses = inColumns(told.map(({ name: value, text, use }) => [value, text, use]));
  if (uses.length > 0) lines.push('', ...uses);
  return [...lines, '', link === undefined ? 'No route makes a link of these values.' : `link: ${link}`].join('\n');
}
