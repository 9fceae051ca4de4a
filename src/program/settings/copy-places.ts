/** Reads the two stores of `--copy-store FROM TO`, and the settings beside them. */
import { concealed, store } from './checks.ts';
import { InvalidValue } from './setting.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

const FLAG = '--copy-store';

/** The places as `--store` has them. */
export interface CopyPlaces {
  readonly from: string;
  readonly to: string;
  readonly settings: Settings;
}

/** Throws a `SettingsError` as `readSettings` does, and for places that cannot be copied. */
export function readCopyPlaces(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CopyPlaces {
  const at = argv.indexOf(FLAG);
  const [from, to] = [argv[at + 1], argv[at + 2]];
  if (from === undefined || to === undefined || from.startsWith('--') || to.startsWith('--'))
    throw new SettingsError(
      `Cannot use ${FLAG}: it needs two stores; give ${FLAG} FROM TO, such as todo.db redis://host`,
    );
  const settings = readSettings([...argv.slice(0, at), ...argv.slice(at + 3)], { ...environment, STORE: undefined });
  const places = { from: place(from), to: place(to) };
  if (places.from === places.to) throw refused(to, 'it is the same store; name another');
  return { ...places, settings };
}

function place(text: string): string {
  if (text === 'memory') throw refused(text, 'it is in no other process; give a file or redis://…');
  try {
    return store(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw refused(text, error.message);
  }
}

const refused = (text: string, cause: string): SettingsError =>
  new SettingsError(`Cannot use ${FLAG} ${JSON.stringify(concealed(text))}: ${cause}`);
