/** Writes the file with which the compiler judges the types of a generated client. */

/** How each generator calls the type of a schema. */
const SCHEMA_NAMES = {
  'swagger-typescript-api': (name) => `generated.${name}`,
  'openapi-typescript-7': (name) => `generated.components['schemas']['${name}']`,
};

/**
 * A file that compiles where right values are taken and wrong ones are not, but for the listed differences. `rows` are
 * types, each with right and wrong values; `$Name` is one of `names`, or a schema.
 */
export function typesOf(client, rows, names, differences) {
  const isMissing = (type) => differences.some(({ missing }) => missing !== undefined && type.includes(missing));
  const spelt = (type) => type.replace(/\$(\w+)/g, (_, name) => names[name] ?? SCHEMA_NAMES[client](name));
  const lines = rows.flatMap(([type, right, wrong = []]) =>
    [...right.map((value) => [value, true]), ...wrong.map((value) => [value, false])].map(([value, isRight]) => {
      const isOther = differences.some(({ typed }) => typed === `${type} = ${value}`);
      const isTaken = !isMissing(type) && isRight !== isOther;
      return `${isTaken ? '' : '// @ts-expect-error\n'}show<${spelt(type)}>(${value});`;
    }),
  );
  return [
    "import type * as generated from './generated.js';",
    'const show = <T>(value: T): T => value;',
    ...lines,
  ].join('\n');
}
