/** The calls of functions for one request, by the service, the floor and all peers. The numbers are exact. */
import { callsFor, sumOf } from '../library/calls.mjs';
import { SCENARIOS } from '../library/scenarios.mjs';
import { FLOOR, peers, SOURCES } from '../library/targets.mjs';

/** Node runs TypeScript since 22.18. A compiler in its place could add calls of its own. */
const runsTypeScript = Boolean(process.features.typescript);

export async function calls({ row, list }) {
  const targets = [...(runsTypeScript ? [SOURCES] : []), FLOOR, ...peers()];
  const lines = [
    `| calls (functions, files) | ${targets.map(({ name }) => name).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(targets.length)}`,
  ];
  const lists = [];
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(row))) {
    const cells = [];
    for (const target of targets) {
      const functions = await callsFor(target, scenario);
      const files = [...new Set(functions.map(({ file }) => file))];
      cells.push(`${sumOf(functions)} (${functions.length}, ${files.length})`);
      if (list) lists.push(`\n${scenario.name}, ${target.name}:\n`, ...files.map((file) => fileLine(file, functions)));
    }
    lines.push(`| ${scenario.name} | ${cells.join(' | ')} |`);
  }
  if (!runsTypeScript)
    lists.push('', 'The service is not counted: this Node does not run TypeScript, use 22.18 or later.');
  return [...lines, ...lists].join('\n');
}

/** The functions of a file in their order, each with its calls. */
function fileLine(file, functions) {
  const called = functions.filter((one) => one.file === file);
  return `- ${file}: ${called.map(({ name, calls }) => `${name || '(anonymous)'} ×${calls}`).join(', ')}`;
}
