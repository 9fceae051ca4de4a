/** Tells which plugin each stage of an application comes from, for error messages and traces. */
import { namedStage, type Pipeline } from '../pipeline/stage.ts';

/** What a plugin says of its stages. */
interface StageOwner {
  readonly name: string;
  readonly outerStages?: Pipeline;
  readonly stages?: Pipeline;
}

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of its function; empty when it has none. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems` and `routing`, which every application has. */
  readonly plugin?: string;
  /** Its place in the list of that plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string;
}

/** The origins of all stages of an application, in the order of `application`. */
export const originsOf = (plugins: readonly StageOwner[]): readonly StageOrigin[] => [
  ...plugins.flatMap(({ name, outerStages = [] }) => originsIn(name, outerStages, 'outer stage')),
  { name: 'problems' },
  ...plugins.flatMap(({ name, stages = [] }) => originsIn(name, stages, 'stage')),
  { name: 'routing' },
];

const originsIn = (plugin: string, stages: Pipeline, kind: string): StageOrigin[] =>
  stages.map(({ name }, at) => ({ name, plugin, place: `${kind} ${at + 1}` }));

/** The stages, each named in error messages by its origin. */
export const namedStages = (stages: Pipeline, origins: readonly StageOrigin[]): Pipeline =>
  stages.map((stage, at) => namedStage(stage, stageSubject(origins[at]!)));

/** The stage in a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** The stage as a subject: `The stage "served" of the plugin "even"`, `Stage 2 of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? place.replace(/^./, (letter) => letter.toUpperCase()) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
