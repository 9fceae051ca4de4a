/** Which plugin each stage of an application is from, and how people are told of it: by the plugin and the name or the place. */
import type { Plugin } from './plugin.ts';

/** Where a stage is from. */
export interface StageOrigin {
  /** The name of its function; empty when it has none. */
  readonly name: string;
  /** The name of its plugin; undefined for the stages that every application has, `problems` and `routing`. */
  readonly plugin?: string;
  /** Its place in its list of that plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string;
}

/** The origins of the stages in one list of a plugin, in their order. */
export const stageOrigins = (plugin: Plugin, list: 'outerStages' | 'stages'): readonly StageOrigin[] =>
  (plugin[list] ?? []).map(({ name }, at) => ({
    name,
    plugin: plugin.name,
    place: `${list === 'stages' ? 'stage' : 'outer stage'} ${at + 1}`,
  }));

/** The stage in a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** The stage at the beginning of a sentence: `The stage "served" of the plugin "even"`, `Stage 2 of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? place.replace(/^./, (letter) => letter.toUpperCase()) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
