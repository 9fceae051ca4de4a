/** Writes trials as lines in columns, one for each route. */
import type { LinkTrial, RouteTrial } from '../../src/core/routing/explain-request.ts';
import { methodsText, trialText } from '../../src/core/routing/trial-text.ts';
import { inColumns } from '../../src/extensions/trace/onion-text.ts';

export const explainText = (trials: readonly (RouteTrial | LinkTrial)[]): string =>
  inColumns(
    trials.map((trial) => [
      `${trial.accepted ? '✓' : '✗'} ${methodsText(trial.route)}`,
      trial.route.template.text,
      trialText(trial),
    ]),
  ).join('\n');
