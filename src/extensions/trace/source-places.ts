/**
 * Finds where functions stand in their sources, as `src/core/pipeline/problems.ts:20`, with the inspector of Node.
 *
 * A program that is bundled into one file has no sources beside it: its own functions have no place then. There is
 * none either where Node has no right to the inspector, and in other runtimes.
 */
import type { InspectorNotification, Runtime, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../extending.ts';

/** A function whose place is asked. */
export type AnyFunction = (...given: never[]) => unknown;
type Found = { readonly url: string; readonly line: number; readonly column: number };

/** How the inspector finds a function: it can evaluate an expression, and knows nothing of our variables. */
const HELD = Symbol.for('todo-item-service:function whose place is asked');

/** The places of these functions, relative to the current folder; undefined for one that has none. Never throws. */
export const sourcePlaces = (functions: readonly AnyFunction[]): readonly (string | undefined)[] =>
  attempt(
    () => placesOf(functions),
    functions.map(() => undefined),
  );

function placesOf(functions: readonly AnyFunction[]): readonly (string | undefined)[] {
  const { Session: Inspector } = process.getBuiltinModule('node:inspector') as { Session: new () => Session };
  const session = new Inspector();
  session.connect();
  try {
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<{ scriptId: string; url: string }>) =>
      urls.set(params.scriptId, params.url),
    );
    session.post('Debugger.enable');
    const own = locationOf(session, sourcePlaces, urls)?.url;
    const isBundled = own !== undefined && !/source-places\.\w+$/.test(own);
    return functions.map((one) => {
      const found = locationOf(session, one, urls);
      if (found === undefined || (isBundled && found.url === own)) return undefined;
      const { url, line } = sourceOf(found);
      return url.startsWith('file:') ? `${relative(process.cwd(), fileURLToPath(url))}:${line + 1}` : undefined;
    });
  } finally {
    session.disconnect();
    Reflect.deleteProperty(globalThis, HELD);
  }
}

/** Where the running text has the function. The inspector of the own thread answers at once. */
function locationOf(session: Session, one: AnyFunction, urls: ReadonlyMap<string, string>): Found | undefined {
  Object.assign(globalThis, { [HELD]: one });
  let objectId: string | undefined;
  const expression = `globalThis[Symbol.for(${JSON.stringify(HELD.description)})]`;
  session.post('Runtime.evaluate', { expression }, (_, reply) => (objectId = reply?.result.objectId));
  if (objectId === undefined) return undefined;
  let members: readonly Runtime.InternalPropertyDescriptor[] = [];
  session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_, reply) => {
    members = reply?.internalProperties ?? [];
  });
  const value: unknown = members.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value;
  if (value === undefined) return undefined;
  const { scriptId, lineNumber, columnNumber } = value as Record<'lineNumber' | 'columnNumber', number> & {
    readonly scriptId: string;
  };
  const url = urls.get(scriptId);
  return url === undefined ? undefined : { url, line: lineNumber, column: columnNumber };
}

/** Where the source has it: `tsx` runs another text than that of the file. */
function sourceOf(found: Found): Pick<Found, 'url' | 'line'> {
  const { findSourceMap } = process.getBuiltinModule('node:module');
  const entry = findSourceMap(found.url)?.findEntry(found.line, found.column);
  return entry !== undefined && 'originalSource' in entry
    ? { url: entry.originalSource, line: entry.originalLine }
    : found;
}
