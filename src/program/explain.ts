/**
 * Writes the text of `todo-item-service explain`: what every part of this service, or of the application that a file
 * exports, did with a request, or which route makes a link.
 *
 * The request passes through the parser, the request validation, every stage and the writer, without a socket.
 */
import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { basename } from 'node:path';
import { oneLine } from '../core/log/log-line.ts';
import { hint } from '../core/options/did-you-mean.ts';
import type { LinkTrial } from '../core/routing/explain.ts';
import { thrownMessage } from '../extending.ts';
import { inColumns, onionLines } from '../extensions/trace/onion-text.ts';
import type { Station } from '../extensions/trace/recording.ts';
import { routeFacts } from '../extensions/trace/views.ts';
import type { ListenerOptions, RunnableApplication } from '../index.ts';
import { app, limitSettings } from './app.ts';
import { explainedRequest } from './explained-request.ts';
import { loadApplication } from './load-files.ts';
import { quoted, withoutSecrets } from './quoted.ts';
import { readSettings, type Settings, SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

/**
 * The explanation, without a line feed at its end. `args` are those of the command line; `environment` holds the
 * variables of the service. Rejects with a `SettingsError` for arguments that ask nothing and for a file without an
 * application, and with the error of a failed start.
 */
export async function explain(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return EXPLAIN_USAGE;
  const [first = ''] = args;
  const file = FILE.test(first) ? first : undefined;
  const own = ownArguments(file === undefined ? args : args.slice(1));
  const ask = own.link.length > 0 ? linkQuestion(own) : requestQuestion(own);
  const [flag] = own.others;
  if (file !== undefined && flag !== undefined)
    throw new SettingsError(
      `Cannot use ${flag.replace(/=[^]*/, '')} with ${quoted(file)}: it is a flag of the service alone; leave it out`,
    );
  const settings = file === undefined ? readSettings(own.others, environment) : undefined;
  const composed = settings === undefined ? await loadApplication(file!) : await serviceOf(settings);
  return ask(composed, settings ? limitSettings(settings) : {});
}

async function serviceOf(settings: Settings): Promise<RunnableApplication> {
  const files = settings.plugin.map((file) => quoted(basename(file))).join(', ');
  const stuck = (): Error =>
    new SettingsError(`Cannot explain the service: a promise of ${files} never settles; correct the file`);
  return (await unlessStuck(app(settings), stuck)).application;
}

/** A file with an application, in the place of a method. */
const FILE = /^\.{1,2}[\\/]|\.[cm]?[jt]sx?$/;

/** Returns the text of an answer. */
type Question = (application: RunnableApplication, limits: ListenerOptions['limits']) => string | Promise<string>;

/** What became of a request at every part of its way. Throws a `SettingsError` for words that are no request. */
function requestQuestion({ words, data, header, times, json }: OwnArguments): Question {
  const [method = '', path = ''] = words;
  if (words.length === 0)
    throw new SettingsError(`Cannot explain a request: none was given; give a method and a path, as in ${EXAMPLE}`);
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
  stations.some((one) => one.routes !== undefined || haveAsked(one.stations));

/**
 * Why each route was or was not taken for a link, and the link. Throws a `SettingsError` for words that are no values,
 * and the question does for a name that no route has.
 */
function linkQuestion({ words, ambient: pairs, data, header, times, json }: OwnArguments): Question {
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
    const saidOf = (trial: LinkTrial | undefined): readonly [mark: string, text: string] => {
      if (trial === undefined) return ['-', `not tried: its name is not ${name}`];
      if (!trial.accepted) return ['✗', trial.reason];
      return trial === taken ? ['✓', trial.path] : ['-', 'would make one too, but an earlier route is taken'];
    };
    const rows = [...routes].map((route) => {
      const [mark, text] = saidOf(trials.find((trial) => trial.route === route));
      return { mark, facts: { name: '', ...routeFacts(route), text } };
    });
    const link = taken?.accepted ? basePath + taken.path : undefined;
    // Without a link, what became of the values is told for a route that was asked for by its name.
    const told = (taken ?? (name === undefined ? undefined : trials[0]))?.values ?? [];
    if (json.length > 0) {
      const facts = rows.map((row) => ({ ...row.facts, taken: row.mark === '✓' }));
      return JSON.stringify({ link, values: told, routes: facts }, null, 2);
    }
    const lines = inColumns(
      rows.map(({ mark, facts }) => [`${mark} ${facts.methods}`, facts.template, facts.name, facts.text]),
    );
    const uses = inColumns(told.map(({ name: value, text, use }) => [value, text, use]));
    if (uses.length > 0) lines.push('', ...uses);
    return [...lines, '', link === undefined ? 'No route makes a link of these values.' : `link: ${link}`].join('\n');
  };
}

const EXAMPLE = 'todo-item-service explain GET /api/todo/42';
const LINK_EXAMPLE = 'todo-item-service explain --link ApiTodoByIdGet id=5';

const EXPLAIN_USAGE = `Usage: todo-item-service explain [FILE] METHOD PATH [options] [flags of the service]
       todo-item-service explain [FILE] --link [NAME] [value=TEXT ...] [--ambient value=TEXT]...

Sends one request through an application, without a socket, and prints its way in and out, through parser, validation,
stages, routing and writer: the line of each, what it did, what it changed, and whether it waited. Or tells which route
makes a link of the values, and why the others do not. In the sources of the service: npm run explain -- METHOD PATH.

  FILE           such as ./my-app.js: its default export, or its export app or application, is what application([...])
                 returns, or a function that receives the library and returns it; TypeScript from Node 22.18 on; this
                 service unless given
  METHOD         GET or any other but CONNECT
  PATH           begins with a slash, is percent-encoded, may have a query; without scheme and host
  -d, --data     the body, or @FILE, or @- for standard input; application/json unless a header says otherwise
  -H, --header   a header line, "Name: value"; may be given several times
  --times        with the microseconds that each of them took, later ones included
  --json         the same as JSON
  --link         the name of a route, and values; without a name every route is tried, in order
  --ambient      a value of the current request, which a link may use; may be given several times

The flags of the service are those of todo-item-service --help. They stand last, and hold without FILE alone.

Examples: ${EXAMPLE}
          todo-item-service explain ./my-app.js POST /api/todo -d "{\\"name\\":1}"
          ${LINK_EXAMPLE}`;

/** The flags of this command by how they are written. */
const FLAGS = new Map<string, keyof OwnArguments>([
  ...(['data', 'header', 'ambient', 'times', 'json', 'link'] as const).map((name) => [`--${name}`, name] as const),
  ['-d', 'data'],
  ['-H', 'header'],
]);

/** What each flag is given; one that takes no value is in its list itself. `others` is for the service. */
type OwnArguments = Readonly<
  Record<'data' | 'header' | 'ambient' | 'times' | 'json' | 'link' | 'words' | 'others', string[]>
>;

/** What is not for explaining is for the service: a flag, and what follows it up to the next flag. */
function ownArguments(args: readonly string[]): OwnArguments {
  const own: OwnArguments = { words: [], others: [], data: [], header: [], ambient: [], times: [], json: [], link: [] };
  let list = own.words;
  for (let at = 0; at < args.length; at++) {
    const given = args[at]!;
    const flag = FLAGS.get(given);
    if (flag === undefined) {
      if (given.startsWith('--') && (own.words.length > 1 || own.link.length > 0)) list = own.others;
      list.push(given);
      continue;
    }
    const takesValue = flag === 'data' || flag === 'header' || flag === 'ambient';
    const value = takesValue ? args[++at] : given;
    if (value === undefined) throw new SettingsError(`Cannot read ${given}: it has no value; give one after it`);
    if (flag === 'data' && own.data.length > 0)
      throw new SettingsError(`Cannot send two bodies: ${given} is given a second time; give it once`);
    if (flag === 'link') list = own.words;
    own[flag].push(value);
  }
  if (own.ambient.length > 0 && own.link.length === 0)
    throw new SettingsError(`Cannot use --ambient without --link: give both, as in ${LINK_EXAMPLE} --ambient list=7`);
  return own;
}

/** What is wrong with the words of a request, and what to do about it. */
function requestFault([method = '', path, surplus]: readonly string[]): string | undefined {
  if (!/^[a-z][a-z-]*$/i.test(method)) return 'it does not begin with a method; give one and a path, then flags';
  if (method.toUpperCase() === 'CONNECT') return 'CONNECT asks for no path; give another method';
  if (path === undefined) return 'it has no path; give one after the method';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return 'it has a whole URL; give its path alone';
  if (path.startsWith('-')) return 'its path is missing; give it before the flags';
  if (path === '*') return 'it has no path; the service answers OPTIONS for paths alone';
  if (!path.startsWith('/')) return 'its path does not begin with a slash; add one';
  if (!/^[!-~]+$/.test(path)) return 'its path has a character that no request carries; percent-encode it';
  return surplus && `${quoted(surplus)} follows it; give a body as -d, a header as -H, then flags`;
}

function fileOf(path: string): Uint8Array {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `Cannot read the body from ${quoted(path)}: ${code}; give -d @FILE with a file that is there`,
    );
  }
}

/** Names that the client itself writes: a second line of them would be another request. */
const CANONICAL = new Map(['Host', 'Connection', 'Content-Length'].map((name) => [name.toLowerCase(), name]));

function headersOf(lines: readonly string[], hasBody: boolean): Record<string, string[]> {
  const headers = Object.create(null) as Record<string, string[]>;
  for (const line of lines) {
    const refusal = (fault: string): SettingsError =>
      new SettingsError(`Cannot send the header ${quoted(line)}: ${fault}; give -H "Name: value"`);
    const [, name, value = ''] = /^([^:]+):\s*([^]*?)\s*$/.exec(line) ?? [];
    if (name === undefined) throw refusal('it has no name with a colon after it');
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw refusal(thrownMessage(error));
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
      const remedy = `it is no value; give name=text, as in ${LINK_EXAMPLE}`;
      throw new SettingsError(`Cannot explain a link with ${quoted(pair)}: ${remedy}`);
    }),
  );
