/**
 * Compares the answers of routing with recorded answers: `node --import tsx test/core/routing/fresh-cases.ts
 * answers.json [more.json …]`.
 *
 * Prints the number of cases and of differences of each kind, and the first differences. The exit code is 1 if there is
 * a difference.
 */
import { readFileSync } from 'node:fs';
import { agreement } from './agreement.ts';
import type { CaseFile } from './case-file.ts';

const shown = Number(process.env['SHOW'] ?? 10);
for (const name of process.argv.slice(2)) {
  console.log(name);
  for (const [kind, { asked, newer, differ }] of Object.entries(
    agreement(JSON.parse(readFileSync(name, 'utf8')) as CaseFile),
  )) {
    console.log(
      `  ${kind}: ${asked} asked, ${differ.length} differ${newer ? `, ${newer} as a newer version does` : ''}`,
    );
    for (const line of differ.slice(0, shown)) console.log(`    ${line}`);
    if (differ.length) process.exitCode = 1;
  }
}
