/** What a stage is called in error messages: as it was named when it was composed, else by its function. */
import type { Stage } from './stage.ts';

const NAMES = new WeakMap<Stage, string>();

/** Names a stage by words that can begin a sentence: `The stage "served" of the plugin "even"`. */
export const nameStage = (stage: Stage, name: string): void => void NAMES.set(stage, name);

/** The stage in words that can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage) ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);
