/**
 * The first statements of a program. Every version of Node can parse them. If Node is too old, they print one line and
 * exit with code 2, instead of a syntax error.
 *
 * The versions equal `engines` in `package.json`.
 */
export const START_TEXT = `#!/usr/bin/env node
'use strict';
var node = process.versions.node.split('.').map(Number);
if (node[0] < 20 || (node[0] === 20 && node[1] < 19)) {
  console.error('Cannot start: Node ' + process.versions.node + ' is too old; use 20.19 or later');
  process.exit(2);
}
`;
