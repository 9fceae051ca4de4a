/** What a stage is called in messages: by its name and its plugin, or by its place in the plugin where it has no name. */
import type { Middleware } from './pipeline.ts';

const LABELS = new WeakMap<Middleware, string>();

/** Names the plugin that a stage is from, and its place among the plugin's stages, counted from 1. */
export function labelStage(stage: Middleware, plugin: string, place: number): void {
  LABELS.set(stage, stage.name === '' ? `stage ${place} of the plugin "${plugin}"` : `the stage "${stage.name}" of the plugin "${plugin}"`);
}

/** The stage in words, to stand in a sentence. */
export const stageLabel = (stage: Middleware): string =>
  LABELS.get(stage) ?? (stage.name === '' ? 'a stage without a name' : `the stage "${stage.name}"`);
