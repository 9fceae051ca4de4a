/** Takes the limits of the service from the settings, which have them among others. */
import { LIMITS, type Limits } from '../../core/wire/connection/limits.ts';
import type { Settings } from './settings.ts';

export const limitSettings = (settings: Settings): { readonly [Name in keyof Limits]?: number | undefined } => {
  const given: Partial<Record<string, unknown>> = { ...settings };
  return Object.fromEntries(Object.keys(LIMITS).map((name) => [name, given[name] as number | undefined]));
};
