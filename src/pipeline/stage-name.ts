/** Names stages in error messages: by the name that the application gave a stage, else by its function. */
import type { Stage } from './stage.ts';

const NAMES = new WeakMap<Stage, string>();

/** Gives a stage a name that can begin a sentence: `The stage "served" of the plugin "even"`. */
export const nameStage = (stage: Stage, name: string): void => void NAMES.set(stage, name);

/** The name of the stage; it can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage) ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);
