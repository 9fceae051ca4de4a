/** Collects the licences of what travels with the service: the page with its packages, and Node in the executable. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './build-facts.ts';

/** The texts behind one another, each under its heading. `ofNode` is the licence of Node, where it travels. */
export function licenceTexts(ofNode?: string): string {
  const page = (name: string): string => readFileSync(`${ROOT}static/swagger-ui/${name}`, 'utf8');
  const parts: [heading: string, text: string][] = [
    ['Swagger UI, the interactive page', page('LICENSE')],
    ['Swagger UI, notice', page('NOTICE')],
    ['Swagger UI, licences that its build names', page('swagger-ui-bundle.js.LICENSE.txt')],
    ['The packages in Swagger UI', page('THIRD-PARTY-LICENSES.txt')],
  ];
  if (ofNode !== undefined) parts.push(['Node and its libraries, in the executable and in the image', ofNode]);
  return parts
    .map(([heading, text]) => `${'='.repeat(78)}\n${heading}\n${'='.repeat(78)}\n\n${text.trim()}\n`)
    .join('\n');
}

/** The file LICENSE of an installed Node: a folder above that of the program, in its archive and in its packages. */
export function licenceOfNode(node: string): string {
  const file = join(dirname(dirname(node)), 'LICENSE');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new Error(`Cannot pack "${node}": its licence is not at "${file}"; take a Node from its own archive`);
}
