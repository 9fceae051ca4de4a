/**
 * Writes the output of `todo-item-service explain`. It shows how each part of this service, or of an application in a
 * file, treated a request. With `--link`, it shows which route makes a link.
 *
 * The request passes through the parser, the validation, the stages and the writer, but not through a socket.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { oneLine } from '../core/log/log-line.ts';
import { hint } from '../core/options/did-you-mean.ts';
import { trialText } from '../core/routing/explain.ts';
import type { SentRequest } from '../core/server/in-memory.ts';
import { thrownMessage } from '../extending.ts';
import type { RunnableApplication } from '../index.ts';
import { explainedRequest } from '../plugins/trace/explained-request.ts';
import { inColumns, onionLines } from '../plugins/trace/onion-text.ts';
import type { Station } from '../plugins/trace/recording.ts';
import { routeFacts } from '../plugins/trace/views.ts';
import { app, limitSettings } from './app.ts';
import { loadApplication } from './load-files.ts';
import { quoted, withoutSecrets } from './quoted.ts';
import { readSettings, SettingsError } from './settings/settings.ts';

/** Resolves to the explanation. Rejects with a `SettingsError` for wrong arguments, or with the error of a plugin. */
export async function explain(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { given, words, others } = readArguments(args);
  if (given.help) return EXPLAIN_USAGE;
  const file = FILE.test(words[0] ?? '') ? words.shift() : undefined;
  const [flag] = others;
  if (file !== undefined && flag !== undefined)
    throw new SettingsError(
      `Cannot use ${flag.replace(/=[^]*/, '')} with ${quoted(file)}: this flag is only for the service; leave it out`,
    );
  const request = given.link ? undefined : requestOf(words, given);
  const settings = file === undefined ? readSettings(others, environment) : undefined;
  const composed = settings === undefined ? await loadApplication(file!) : (await app(settings)).application;
  if (request === undefined) return linkText(composed, words, given);
  const limits = settings ? limitSettings(settings) : {};
  const { answer, recording } = await explainedRequest(composed, limits, words[1]!, request);
  if (given.json) return JSON.stringify({ recording, answer }, null, 2);
  const lines =
    recording === undefined ? ['· parser  refused the request'] : onionLines(recording, given.times === true);
  if (recording !== undefined && !haveAsked(recording.stations)) lines.push('', 'The routes were not asked.');
  return [...lines, '', answer].map((line) => /^ */.exec(line)![0] + oneLine(line)).join('\n');
}

/** Matches the path of a file with an application. It matches no method. */
const FILE = /^\.{1,2}[\\/]|\.[cm]?[jt]sx?$/;

const haveAsked = (stations: readonly Station[]): boolean =>
  stations.some(({ routes, stations: later }) => routes !== undefined || haveAsked(later));

/** Returns which route makes the link, and why the routes before it do not. Throws a `SettingsError`. */
function linkText({ routes, basePath = '' }: RunnableApplication, words: readonly string[], given: Given): string {
  if (given.data || given.header || given.times)
    throw new SettingsError('Cannot explain a link with -d, -H or --times: they belong to a request; leave them out');
  const name = words[0]?.includes('=') ? undefined : words[0];
  const values = valuesOf(name === undefined ? words : words.slice(1));
  const trials = routes.explainLink(values, { name });
  if (name !== undefined && trials.length === 0) {
    const names = [...routes].flatMap((route) => route.name ?? []);
    const remedy = `no route has this name${hint(name, names)}; give one of ${names.join(', ')}`;
    throw new SettingsError(`Cannot explain a link to ${quoted(name)}: ${remedy}`);
  }
  const taken = trials.find(({ accepted }) => accepted);
  const tried = taken === undefined ? trials : trials.slice(0, trials.indexOf(taken) + 1);
  const link = taken?.accepted ? basePath + taken.path : undefined;
  const rows = tried.map((trial) => ({ ...routeFacts(trial.route), taken: trial.accepted, text: trialText(trial) }));
  if (given.json) return JSON.stringify({ link, routes: rows }, null, 2);
  const cells = rows.map((row) => [`${row.taken ? '✓' : '✗'} ${row.methods}`, row.template, row.name ?? '', row.text]);
  const last = link === undefined ? 'No route makes a link from these values.' : `link: ${link}`;
  return [...inColumns(cells), '', last].join('\n');
}

const EXAMPLE = 'todo-item-service explain GET /api/todo/42';
const LINK_EXAMPLE = 'todo-item-service explain --link ApiTodoByIdGet id=5';

const EXPLAIN_USAGE = `Usage: todo-item-service explain [FILE] METHOD PATH [options] [flags of the service]
       todo-item-service explain [FILE] --link [NAME] [value=TEXT ...]

Sends one request through an application, without a socket, and prints a line for each part that it passes on its way
in and out: parser, validation, stages, routing and writer. A line shows what the part did, what it changed, and whether
it waited. With --link, prints which route makes a link from the values, and why the routes before it do not. In a clone,
use npm run explain -- METHOD PATH.

  FILE           such as ./my-app.js; by default, the application is this service. The default export of the file, or its
                 export app or application, is the result of application([...]), or a function that receives the library
                 and returns that result. TypeScript needs Node 22.18 or later
  METHOD         any method except CONNECT
  PATH           percent-encoded, with a slash at the start; may have a query, but no scheme and host
  -d, --data     the body, or @FILE, or @- for standard input; application/json unless -H sets the type
  -H, --header   a header line, "Name: value"; may be repeated
  --times        adds the microseconds that each part took, including the later parts that it called
  --json         prints JSON
  --link         the name of a route, and values; without a name every route is tried, in order

todo-item-service --help lists the flags of the service. They come last, and cannot be used with FILE.

Examples: ${EXAMPLE}
          todo-item-service explain ./my-app.js POST /api/todo -d "{\\"name\\":1}"
          ${LINK_EXAMPLE}`;

const OPTIONS = {
  data: { type: 'string', short: 'd', multiple: true },
  header: { type: 'string', short: 'H', multiple: true },
  times: { type: 'boolean' },
  json: { type: 'boolean' },
  link: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Given = ReturnType<typeof readArguments>['given'];

/** Reads the arguments. The first flag that is not an option of `explain`, and all after it, are for the service. */
function readArguments(all: readonly string[]) {
  const isOfService = (flag: string): boolean => flag.startsWith('--') && !(flag.slice(2).split('=')[0]! in OPTIONS);
  const at = all.findIndex(isOfService);
  const [args, others] = at < 0 ? [all, []] : [all.slice(0, at), all.slice(at)];
  try {
    const { values: given, positionals: words } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    return { given, words, others };
  } catch (error) {
    throw new SettingsError(
      `Cannot read the arguments: ${oneLine(thrownMessage(error))}; explain --help lists the options`,
    );
  }
}

function requestOf(words: readonly string[], { data: [text, ...more] = [], header = [] }: Given): SentRequest {
  const fault = requestFault(words);
  const asked = words.length === 0 ? 'a request' : JSON.stringify(words.slice(0, 2).map(withoutSecrets).join(' '));
  if (fault !== undefined) throw new SettingsError(`Cannot explain ${asked}: ${fault}, as in ${EXAMPLE}`);
  if (more.length > 0) throw new SettingsError('Cannot send two bodies: -d is used twice; give it once');
  const body = text?.startsWith('@') ? fileOf(text.slice(1)) : text || undefined;
  const headers = new Headers();
  for (const line of header) addLine(headers, line);
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return { method: words[0]!.toUpperCase(), headers, body };
}

function requestFault([method, path, surplus]: readonly string[]): string | undefined {
  if (method === undefined) return 'there is no request; give a method and a path';
  if (!/^[a-z][a-z-]*$/i.test(method)) return 'it does not begin with a method; give a method and a path, then flags';
  if (method.toUpperCase() === 'CONNECT') return 'CONNECT requests do not have a path; give another method';
  if (path === undefined) return 'it has no path; give a path after the method';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return 'it has a whole URL; give its path alone';
  if (path === '*') return 'it has no path; the service answers OPTIONS only for paths';
  if (!path.startsWith('/')) return 'its path does not begin with a slash; add one';
  if (!/^[!-~]+$/.test(path)) return 'its path has a character that a request cannot contain; percent-encode it';
  return surplus && `${quoted(surplus)} follows it; give a body as -d, a header as -H, then flags`;
}

function fileOf(path: string): Uint8Array {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `Cannot read the body from ${quoted(path)}: ${code}; give -d @FILE with a file that exists`,
    );
  }
}

function addLine(headers: Headers, line: string): void {
  const [, name, value = ''] = /^([^:]+):([^]*)$/.exec(line) ?? [];
  try {
    if (name === undefined) throw new TypeError('it has no name with a colon after it');
    headers.append(name, value);
  } catch (error) {
    throw new SettingsError(`Cannot send the header ${quoted(line)}: ${thrownMessage(error)}; give -H "Name: value"`);
  }
}

const valuesOf = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [, name, text] = /^([^=]+)=([^]*)$/.exec(pair) ?? [];
      if (name !== undefined) return [name, text!];
      const remedy = `it is not a value; give name=text, as in ${LINK_EXAMPLE}`;
      throw new SettingsError(`Cannot explain a link with ${quoted(pair)}: ${remedy}`);
    }),
  );
