/** Writes the bill of materials in CycloneDX 1.5: the service and its vendored page, by name, version and licence. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type BuildFacts, ROOT } from './build-facts.ts';

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Returns the bill of the package and of `todo.cjs`. The page and its packages come from `npm run vendor`. */
export function billOfMaterials({ version, commit, modified }: BuildFacts): string {
  const service = `pkg:npm/todo-item-service@${version}`;
  const page: Bill = JSON.parse(readFileSync(`${ROOT}static/swagger-ui/sbom.cdx.json`, 'utf8'));
  const content = {
    metadata: {
      timestamp: new Date(modified).toISOString(),
      component: {
        type: 'application',
        'bom-ref': service,
        name: 'todo-item-service',
        version,
        purl: service,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'commit', value: commit }],
      },
    },
    components: page.components,
    dependencies: [{ ref: service, dependsOn: [page.components[0]!['bom-ref']] }, ...page.dependencies],
  };
  // The serial number is a hash of the content, so the same build has the same number.
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${uuid}`, version: 1, ...content };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}
