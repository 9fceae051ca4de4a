/** Writes trials in columns, one line for each route. */
import { type LinkTrial, methodsText, type RouteTrial, trialText } from '../../src/core/routing/explain.ts';
import { inColumns } from '../../src/plugins/trace/onion-text.ts';

export const explainText = (trials: readonly (RouteTrial | LinkTrial)[]): string =>
  inColumns(
    trials.map((trial) => [
      `${trial.accepted ? '✓' : '✗'} ${methodsText(trial.route)}`,
      trial.route.template.text,
      trialText(trial),
    ]),
  ).join('\n');
