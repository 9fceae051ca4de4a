import { type BuildFacts, versionText } from './build-facts.ts';

/**
 * The text that a program starts with. Every version of Node can read it, so that one that is too old says so in a line
 * (exit code 2) instead of failing at the first expression that it does not know.
 *
 * The versions are those of `engines` in `package.json`.
 */
export const START_TEXT = `#!/usr/bin/env node
'use strict';
var node = process.versions.node.split('.').map(Number);
if (node[0] < 20 || (node[0] === 20 && node[1] < 19)) {
  console.error('Cannot start: Node ' + process.versions.node + ' is too old; use 20.19 or later');
  process.exit(2);
}
`;

/** The same, and what the program is, for a file that stands alone. */
export const aloneText = (facts: BuildFacts): string => `${START_TEXT}
// todo-item-service ${versionText(facts)}, MIT. The running service has the licences of its interactive page, at
// swagger/ui/LICENSE, swagger/ui/NOTICE and swagger/ui/THIRD-PARTY-LICENSES.txt.`;
