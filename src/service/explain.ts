/**
 * Writes the output of `todo-item-service explain`. It shows how each part of this service, or of an application in a
 * file, treated a request. With `--link`, it shows which route makes a link.
 *
 * The request passes through the parser, the validation, the stages and the writer, but not through a socket.
 */
import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { basename } from 'node:path';
import { oneLine } from '../core/log/log-line.ts';
import { hint } from '../core/options/did-you-mean.ts';
import type { LinkTrial } from '../core/routing/explain.ts';
import { thrownMessage } from '../extending.ts';
import type { ListenerOptions, RunnableApplication } from '../index.ts';
import { inColumns, onionLines } from '../plugins/trace/onion-text.ts';
import type { Station } from '../plugins/trace/recording.ts';
import { routeFacts } from '../plugins/trace/views.ts';
import { app, limitSettings } from './app.ts';
import { explainedRequest } from './explained-request.ts';
import { loadApplication } from './load-files.ts';
import { quoted, withoutSecrets } from './quoted.ts';
import { readSettings, type Settings, SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

/**
 * Resolves to the explanation, without a line feed at the end. `args` are the arguments after `explain`. `environment`
 * contains the variables of the service. Rejects with a `SettingsError` if the arguments are invalid or the file does
 * not export an application. Also rejects if the start of a plugin fails.
 */
export async function explain(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return EXPLAIN_USAGE;
  const [first = ''] = args;
  const file = FILE.test(first) ? first : undefined;
  const parsed = explainArguments(file === undefined ? args : args.slice(1));
  const ask = parsed.link.length > 0 ? linkQuestion(parsed) : requestQuestion(parsed);
  const [flag] = parsed.others;
  if (file !== undefined && flag !== undefined)
    throw new SettingsError(
      `Cannot use ${flag.replace(/=[^]*/, '')} with ${quoted(file)}: this flag is only for the service; leave it out`,
    );
  const settings = file === undefined ? readSettings(parsed.others, environment) : undefined;
  const composed = settings === undefined ? await loadApplication(file!) : await serviceOf(settings);
  return ask(composed, settings ? limitSettings(settings) : {});
}

async function serviceOf(settings: Settings): Promise<RunnableApplication> {
  const files = settings.plugin.map((file) => quoted(basename(file))).join(', ');
  const stuck = (): Error =>
    new SettingsError(`Cannot explain the service: a promise of ${files} never settles; correct the file`);
  return (await unlessStuck(app(settings), stuck)).application;
}

/** Matches the path of a file with an application. It matches no method. */
const FILE = /^\.{1,2}[\\/]|\.[cm]?[jt]sx?$/;

/** Explains a request or a link, and returns the text to print. */
type Question = (application: RunnableApplication, limits: ListenerOptions['limits']) => string | Promise<string>;

/** Returns a question about a request: how did each part treat it? Throws a `SettingsError` for an invalid request. */
function requestQuestion({ words, data, header, times, json }: ExplainArguments): Question {
  const [method = '', path = ''] = words;
  if (words.length === 0)
    throw new SettingsError(
      `Cannot explain a request: there is no request; give a method and a path, as in ${EXAMPLE}`,
    );
  const fault = requestFault(words);
  if (fault !== undefined) {
    const asked = JSON.stringify(words.slice(0, 2).map(withoutSecrets).join(' '));
    throw new SettingsError(`Cannot explain ${asked}: ${fault}, as in ${EXAMPLE}`);
  }
  const [given = ''] = data;
  const body = given.startsWith('@') ? fileOf(given.slice(1)) : given || undefined;
  const request = { method: method.toUpperCase(), path, headers: headersOf(header, body !== undefined), body };
  return async (application, limits) => {
    const { answer, recording } = await explainedRequest(application, limits, request);
    if (json.length > 0) return JSON.stringify({ recording, answer }, null, 2);
    if (recording === undefined) return ['· parser  refused the request', '', answer].map(oneLine).join('\n');
    const unasked = haveAsked(recording.stations) ? [] : ['', 'The routes were not asked.'];
    const lines = [...onionLines(recording, times.length > 0), ...unasked, '', answer];
    return lines.map((line) => /^ */.exec(line)![0] + oneLine(line)).join('\n');
  };
}

const haveAsked = (stations: readonly Station[]): boolean =>
  stations.some(({ routes, stations: later }) => routes !== undefined || haveAsked(later));

/**
 * Returns a question about a link: which route makes it, and why do the other routes not make it? Throws a
 * `SettingsError` if an argument is not a value. The question throws a `SettingsError` if no route has the name.
 */
function linkQuestion({ words, ambient: pairs, data, header, times, json }: ExplainArguments): Question {
  if (data.length + header.length + times.length > 0)
    throw new SettingsError('Cannot explain a link with -d, -H or --times: they belong to a request; leave them out');
  const [first = ''] = words;
  const name = first === '' || first.includes('=') ? undefined : first;
  const values = valuesOf(name === undefined ? words : words.slice(1));
  const ambient = valuesOf(pairs);
  return ({ routes, basePath = '' }) => {
    const trials = routes.explainLink(values, { ambient, ...(name !== undefined && { name }) });
    if (trials.length === 0) {
      const names = [...routes].flatMap((route) => route.name ?? []);
      const remedy = `no route has this name${hint(first, names)}; give one of ${names.join(', ')}`;
      throw new SettingsError(`Cannot explain a link to ${quoted(name!)}: ${remedy}`);
    }
    const taken = trials.find(({ accepted }) => accepted);
    const resultOf = (trial: LinkTrial | undefined): readonly [mark: string, text: string] => {
      if (trial === undefined) return ['-', `not tried: its name is not ${name}`];
      if (!trial.accepted) return ['✗', trial.reason];
      return trial === taken ? ['✓', trial.path] : ['-', 'would make a link too, but an earlier route is used'];
    };
    const rows = [...routes].map((route) => {
      const [mark, text] = resultOf(trials.find((trial) => trial.route === route));
      return { mark, facts: { name: '', ...routeFacts(route), text } };
    });
    const link = taken?.accepted ? basePath + taken.path : undefined;
    // If no route makes a link, the uses of the values are printed only if the user has named a route.
    const used = (taken ?? (name === undefined ? undefined : trials[0]))?.values ?? [];
    if (json.length > 0) {
      const facts = rows.map((row) => ({ ...row.facts, taken: row.mark === '✓' }));
      return JSON.stringify({ link, values: used, routes: facts }, null, 2);
    }
    const lines = inColumns(
      rows.map(({ mark, facts }) => [`${mark} ${facts.methods}`, facts.template, facts.name, facts.text]),
    );
    const uses = inColumns(used.map(({ name: value, text, use }) => [value, text, use]));
    if (uses.length > 0) lines.push('', ...uses);
    return [...lines, '', link === undefined ? 'No route makes a link from these values.' : `link: ${link}`].join('\n');
  };
}

const EXAMPLE = 'todo-item-service explain GET /api/todo/42';
const LINK_EXAMPLE = 'todo-item-service explain --link ApiTodoByIdGet id=5';

const EXPLAIN_USAGE = `Usage: todo-item-service explain [FILE] METHOD PATH [options] [flags of the service]
       todo-item-service explain [FILE] --link [NAME] [value=TEXT ...] [--ambient value=TEXT]...

Sends one request through an application, without a socket, and prints a line for each part that it passes on its way
in and out: parser, validation, stages, routing and writer. A line shows what the part did, what it changed, and whether
it waited. With --link, prints which route makes a link from the values, and why the other routes do not. In a clone,
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
  --ambient      a value of the current request, which a link may use; may be repeated

todo-item-service --help lists the flags of the service. They come last, and cannot be used with FILE.

Examples: ${EXAMPLE}
          todo-item-service explain ./my-app.js POST /api/todo -d "{\\"name\\":1}"
          ${LINK_EXAMPLE}`;

/** The flags of this command, in their long and short forms. */
const FLAGS = new Map<string, keyof ExplainArguments>([
  ...(['data', 'header', 'ambient', 'times', 'json', 'link'] as const).map((name) => [`--${name}`, name] as const),
  ['-d', 'data'],
  ['-H', 'header'],
]);

/**
 * The arguments by flag. A list contains the values of its flag, or the flag itself if it takes no value. The service
 * gets `others`.
 */
type ExplainArguments = Readonly<
  Record<'data' | 'header' | 'ambient' | 'times' | 'json' | 'link' | 'words' | 'others', string[]>
>;

/** Sorts the arguments. An unknown flag, and the arguments after it up to the next flag, are for the service. */
function explainArguments(args: readonly string[]): ExplainArguments {
  const parsed: ExplainArguments = {
    words: [],
    others: [],
    data: [],
    header: [],
    ambient: [],
    times: [],
    json: [],
    link: [],
  };
  let list = parsed.words;
  for (let at = 0; at < args.length; at++) {
    const given = args[at]!;
    const flag = FLAGS.get(given);
    if (flag === undefined) {
      if (given.startsWith('--') && (parsed.words.length > 1 || parsed.link.length > 0)) list = parsed.others;
      list.push(given);
      continue;
    }
    const takesValue = flag === 'data' || flag === 'header' || flag === 'ambient';
    const value = takesValue ? args[++at] : given;
    if (value === undefined) throw new SettingsError(`Cannot read ${given}: it has no value; give a value after it`);
    if (flag === 'data' && parsed.data.length > 0)
      throw new SettingsError(`Cannot send two bodies: ${given} is used twice; give it once`);
    if (flag === 'link') list = parsed.words;
    parsed[flag].push(value);
  }
  if (parsed.ambient.length > 0 && parsed.link.length === 0)
    throw new SettingsError(`Cannot use --ambient without --link: give both, as in ${LINK_EXAMPLE} --ambient list=7`);
  return parsed;
}

/** Returns the cause and the remedy if the arguments are not a valid request, else undefined. */
function requestFault([method = '', path, surplus]: readonly string[]): string | undefined {
  if (!/^[a-z][a-z-]*$/i.test(method)) return 'it does not begin with a method; give a method and a path, then flags';
  if (method.toUpperCase() === 'CONNECT') return 'CONNECT requests do not have a path; give another method';
  if (path === undefined) return 'it has no path; give a path after the method';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return 'it has a whole URL; give its path alone';
  if (path.startsWith('-')) return 'its path is missing; give it before the flags';
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

/** The headers that Node's `request` adds itself. It would send them twice if they were spelt in another case. */
const CANONICAL = new Map(['Host', 'Connection', 'Content-Length'].map((name) => [name.toLowerCase(), name]));

function headersOf(lines: readonly string[], hasBody: boolean): Record<string, string[]> {
  const headers = Object.create(null) as Record<string, string[]>;
  for (const line of lines) {
    const failure = (cause: string): SettingsError =>
      new SettingsError(`Cannot send the header ${quoted(line)}: ${cause}; give -H "Name: value"`);
    const [, name, value = ''] = /^([^:]+):\s*([^]*?)\s*$/.exec(line) ?? [];
    if (name === undefined) throw failure('it has no name with a colon after it');
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw failure(thrownMessage(error));
    }
    const key = CANONICAL.get(name.toLowerCase()) ?? name.toLowerCase();
    (headers[key] ??= []).push(value);
  }
  if (hasBody) headers['content-type'] ??= ['application/json'];
  return headers;
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
