/**
 * Finds where functions stand in their sources, as `src/core/pipeline/problems.ts:20`, with the inspector of Node.
 * Functions of a program that is bundled have no place, nor has any where there is no inspector.
 */
import type { InspectorNotification, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../core/log/thrown-value.ts';

/** A function whose place is asked. */
export type AnyFunction = (...given: never[]) => unknown;

/** How the inspector finds a function: it can evaluate an expression, and knows nothing of our variables. */
const HELD = 'todo-item-service:function whose place is asked';

/** The places of these functions, relative to the current folder; undefined for one that has none. Never throws. */
export const sourcePlaces = (functions: readonly AnyFunction[]): readonly (string | undefined)[] =>
  attempt(
    () => placesOf(functions),
    functions.map(() => undefined),
  );

function placesOf(functions: readonly AnyFunction[]): readonly (string | undefined)[] {
  const { Session: Inspector } = process.getBuiltinModule('node:inspector') as { Session: new () => Session };
  const { findSourceMap } = process.getBuiltinModule('node:module');
  const session = new Inspector();
  session.connect();
  try {
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<{ scriptId: string; url: string }>) =>
      urls.set(params.scriptId, params.url),
    );
    session.post('Debugger.enable');
    // In a bundle this module and the core may be in two files.
    const [ownUrl, coreUrl] = [sourcePlaces, attempt].map((one) => urls.get(locationOf(session, one)?.scriptId ?? ''));
    const isBundled = ownUrl !== undefined && !/source-places\.\w+$/.test(ownUrl);
    return functions.map((one) => {
      const { scriptId = '', lineNumber = 0, columnNumber = 0 } = locationOf(session, one) ?? {};
      const url = urls.get(scriptId);
      if (url === undefined || (isBundled && (url === ownUrl || url === coreUrl))) return undefined;
      // The source may be another text than the one that runs: `tsx` compiles it.
      const entry = findSourceMap(url)?.findEntry(lineNumber, columnNumber);
      const [file, line] =
        entry !== undefined && 'originalSource' in entry
          ? [entry.originalSource, entry.originalLine]
          : [url, lineNumber];
      return file.startsWith('file:') ? `${relative(process.cwd(), fileURLToPath(file))}:${line + 1}` : undefined;
    });
  } finally {
    session.disconnect();
    Reflect.deleteProperty(globalThis, Symbol.for(HELD));
  }
}

/** Where a script has a function. Its lines and columns are counted from 0. */
interface FunctionLocation {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** The inspector of the own thread answers at once. */
function locationOf(session: Session, one: AnyFunction): FunctionLocation | undefined {
  Object.assign(globalThis, { [Symbol.for(HELD)]: one });
  let location: FunctionLocation | undefined;
  const expression = `globalThis[Symbol.for(${JSON.stringify(HELD)})]`;
  session.post('Runtime.evaluate', { expression }, (_, evaluated) => {
    const objectId = evaluated?.result.objectId;
    if (objectId === undefined) return;
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (__, members) => {
      const found = members?.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]');
      location = found?.value?.value as FunctionLocation | undefined;
    });
  });
  return location;
}
