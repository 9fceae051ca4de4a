/**
 * Records the answers of `recheck` about real and random expressions, in `real.jsonl` and `random.jsonl` (`npm run
 * record`).
 *
 * A line is one case, `[source, flags, cost, degree, found, attack, growth]`. `cost` is `linear` (or constant),
 * `polynomial`, `exponential` or `unknown`. `degree` is the degree of a polynomial. `found` is `automaton`, which is a
 * proof, or `fuzz`, which is a guess. For a guess, `growth` is measured by running the attack (`attack.js`). Each
 * expression must match the whole value, as in a constraint. `npm run record -- random` records only the random
 * expressions.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import { growthOf } from './attack.js';
import { randomExpressions } from './random-expressions.js';
import { realExpressions } from './real-expressions.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOLDERS = ['../../node_modules', '../clients/node_modules', '../bench/peers/node_modules'];
const KINDS = {
  real: () => realExpressions(FOLDERS.map(here).filter((folder) => existsSync(folder))),
  random: () => randomExpressions(2_200, 1),
};

for (const kind of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(KINDS)) {
  const expressions = KINDS[kind]();
  const file = here(`${kind}.jsonl`);
  writeFileSync(file, '');
  for (const [at, expression] of expressions.entries()) {
    appendFileSync(file, `${JSON.stringify(await recorded(expression))}\n`);
    if (at % 100 === 0) console.log(`${kind}: ${at} of ${expressions.length}`);
  }
}
process.exit();

async function recorded({ source, flags }) {
  const [whole, asked] = wholeValue(source, flags);
  const { complexity, checker, attack } = await answerOf(whole, asked);
  const cost =
    complexity === undefined
      ? 'unknown'
      : ['safe', 'constant', 'linear'].includes(complexity.type)
        ? 'linear'
        : complexity.type;
  const line = [source, flags, cost, complexity?.degree ?? 0, checker ?? ''];
  if (attack === undefined) return line;
  const string = [attack.pumps.map(({ prefix, pump }) => [prefix, pump]), attack.suffix];
  line.push(string);
  if (checker === 'fuzz') line.push(growthOf(whole, asked, string));
  return line;
}

/**
 * Wraps an expression as `expression-cost.ts` does. Omits a flag `m` without an effect, since the checker proves more
 * without it.
 */
function wholeValue(source, flags) {
  if (flags.includes('m') && !/[\^$]/.test(source)) return [`^(?:${source})$`, flags.replace('m', '')];
  return flags.includes('m') ? [`(?<![^])(?:${source})(?![^])`, flags] : [`^(?:${source})$`, flags];
}

/** The checker sometimes fails and never answers. The cost is then unknown. */
function answerOf(source, flags) {
  const late = new Promise((resolve) => setTimeout(resolve, 5_000, {}));
  return Promise.race([check(source, flags, { timeout: 2_000 }), late]);
}
