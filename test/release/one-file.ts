/**
 * Builds `todo.cjs`: the whole service with its pages in one file.
 *
 *     node --import tsx test/release/one-file.ts PATH     for npm run bundle, and for the image
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BuildFacts, buildFacts, versionText } from './build-facts.ts';
import { embeddedPage, embeddedTrace } from './embedded-page.ts';
import { programText } from './program.ts';
import { START_TEXT } from './start-text.ts';

/** Returns the text of the file. */
export function oneFile(facts: BuildFacts): Promise<string> {
  const head = `${START_TEXT}
// todo-item-service ${versionText(facts)}, MIT. The running service has the licences of its interactive page, at
// swagger/ui/LICENSE, swagger/ui/NOTICE and swagger/ui/THIRD-PARTY-LICENSES.txt.
`;
  return programText(facts, head, { EMBEDDED_PAGE: embeddedPage(facts), EMBEDDED_TRACE: embeddedTrace(facts) });
}

if (process.argv[1] === import.meta.filename) {
  const [, , file = 'todo.cjs'] = process.argv;
  const text = await oneFile(buildFacts());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  console.log(`${file}: ${Buffer.byteLength(text)} bytes`);
}
