/** Reads the two sources of settings: the command line, and the environment variables (D32). */
import { hint } from '../../core/options/did-you-mean.ts';
import { quoted } from '../quoted.ts';
import { flagOf, type Key, orPrefixed, PREFIX, ROWS, variableOf } from './table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as it is given: the name of its flag or variable, and its text. */
export interface Given {
  readonly name: string;
  readonly text: string;
}

export const mistakeLine = ({ name, text }: Given, cause: string): string =>
  `Cannot use ${name} ${quoted(text)}: ${cause}${orPrefixed(name)}`;

const ACTIONS = ['help', 'version', 'health', 'copy-store', 'check', 'print-config'] as const;

type Action = 'serve' | (typeof ACTIONS)[number];

const SETTING_FLAGS: ReadonlySet<string> = new Set(ROWS.map(([key]) => flagOf(key)));
const ACTION_FLAGS: ReadonlyMap<string, Action> = new Map(ACTIONS.map((action) => [`--${action}`, action]));
const NAMES = [...SETTING_FLAGS, ...ACTION_FLAGS.keys()].map((name) => name.slice(2));

/**
 * Parses the arguments after `node` and the script. Returns the text of each flag, the action, and a line for each
 * mistake. A value may begin with one dash, such as `-1`. If it begins with two dashes, it must be written as
 * `--flag=VALUE`. A repeated flag is a mistake even with the same value (D63). `parseArgs` of Node is not used, because
 * it throws at the first mistake, or takes `--host` in `--port --host x` as the value of `--port`.
 */
export function commandLine(argv: readonly string[]) {
  const texts = new Map<string, string>();
  const mistakes: string[] = [];
  let action: Action = 'serve';
  for (let at = 0; at < argv.length; at++) {
    const [, flag = '', inline] = /^([^=]+)(?:=([^]*))?$/.exec(argv[at]!) ?? [];
    const next = argv[at + 1];
    const selected = ACTION_FLAGS.get(flag === '-h' ? '--help' : flag);
    if (!/^--?[^-]/.test(flag))
      mistakes.push(`Cannot use the argument ${quoted(argv[at]!)}: the service takes flags only; --help lists them`);
    else if (selected !== undefined) action = action === 'serve' || selected === 'help' ? selected : action;
    else if (!SETTING_FLAGS.has(flag)) {
      const similar = hint(flag.replace(/^--?/, ''), NAMES, '--');
      mistakes.push(`Cannot use the flag ${quoted(flag)}: the flag does not exist${similar}; --help lists them`);
      // The next argument is probably the value of the unknown flag, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    } else if (inline === undefined && (next === undefined || next.startsWith('--')))
      mistakes.push(`Cannot use the flag "${flag}": it has no value; write ${flag}=VALUE`);
    else {
      const [text, earlier] = [inline ?? next!, texts.get(flag)];
      if (inline === undefined) at++;
      if (earlier === undefined) texts.set(flag, text);
      else mistakes.push(mistakeLine({ name: flag, text }, `it is ${quoted(earlier)} already; ${ONCE}`));
    }
  }
  return { texts, action, mistakes };
}

const ONCE = 'give the flag once, with commas between the entries of a list';

const VARIABLES = ROWS.map(([key]) => variableOf(key));

/**
 * Matches a variable that Kubernetes sets for a Service in the namespace of the pod. For a Service named `todo` or
 * `todo-admin` it may have the name of a setting: `TODO_PORT=tcp://10.96.0.1:80`.
 */
const SERVICE_LINK = /^\w+(?:_SERVICE_(?:HOST|PORT\w*)=|_PORT_\d+_(?:TCP|UDP|SCTP)\w*=|_PORT=(?:tcp|udp|sctp):)/;

const isSet = (name: string, text: string | undefined): boolean =>
  text !== undefined && text !== '' && !SERVICE_LINK.test(`${name}=${text}`);

/** Returns the variable that sets a setting, or undefined. `TODO_PORT` wins over `PORT`. */
export function variableIn(environment: Environment, key: Key): Given | undefined {
  const name = variableOf(key);
  const names = key === 'port' || key === 'host' ? [name, key.toUpperCase()] : [name];
  const found = names.find((name) => isSet(name, environment[name]));
  return found === undefined ? undefined : { name: found, text: environment[found]! };
}

export const unknownVariables = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, text]) =>
    name.startsWith(PREFIX) && isSet(name, text) && !VARIABLES.includes(name)
      ? `The variable ${name} is not read: the setting does not exist${hint(name, VARIABLES)}; --help lists them`
      : [],
  );
