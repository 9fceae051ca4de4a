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
