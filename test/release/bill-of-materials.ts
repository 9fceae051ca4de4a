/** Writes bills of materials in CycloneDX 1.5: what travels in an artefact, by name, version and licence. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type BuildFacts, ROOT } from './build-facts.ts';

/** A part of an artefact. */
export interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly cpe?: string;
  readonly licenses?: readonly object[];
  readonly components?: readonly Component[];
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The bill of the vendored page, which `npm run vendor` writes. */
const page = (): Bill => JSON.parse(readFileSync(`${ROOT}static/swagger-ui/sbom.cdx.json`, 'utf8'));

/**
 * The service with its page, and what it runs on where that travels too: node and libraries. `digest`, where it is
 * given, is the SHA-256 of the artefact in hexadecimal, which ties the bill to it.
 */
export function billOfMaterials(facts: BuildFacts, runtime: readonly Component[] = [], digest?: string): string {
  const { version, commit, modified } = facts;
  const service = `pkg:npm/todo-item-service@${version}`;
  const { components, dependencies } = page();
  const needed = [components[0]!, ...runtime].map((component) => component['bom-ref']);
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
        ...(digest && { hashes: [{ alg: 'SHA-256', content: digest }] }),
        properties: [{ name: 'commit', value: commit }],
      },
    },
    components: [...components, ...runtime],
    dependencies: [
      { ref: service, dependsOn: needed },
      ...dependencies,
      ...runtime.map((component) => ({ ref: component['bom-ref'], dependsOn: [] })),
    ],
  };
  // A number that follows from the content: the same build has the same one.
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${uuid}`, version: 1, ...content };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Node with the libraries that are compiled into it, as `process.versions` names them. */
export function nodeComponent(versions: Readonly<Record<string, string>>): Component {
  const { node = '', modules, napi, ...parts } = versions;
  const reference = `pkg:generic/node@${node}`;
  return {
    type: 'platform',
    'bom-ref': reference,
    name: 'node',
    version: node,
    purl: reference,
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    licenses: [{ license: { name: 'MIT and the licences of its parts, as its file LICENSE has them' } }],
    components: Object.entries(parts)
      .filter(([, version]) => version !== '')
      .map(([name, version]) => ({ type: 'library', 'bom-ref': `${reference}#${name}`, name, version })),
  };
}

/** A Debian system and its packages, from its release, such as `12`, and the text of its `/var/lib/dpkg/status`. */
export function debianComponents(status: string, release: string): Component[] {
  const stanzas = status.split('\n\n').filter((stanza) => stanza.trim() !== '');
  const packages = stanzas.map((stanza) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const [name, version] = [field('Package'), field('Version')];
    const place = `?arch=${field('Architecture')}&distro=debian-${release}`;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}${place}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
  const system = { type: 'operating-system', 'bom-ref': `debian-${release}`, name: 'debian', version: release };
  return [system, ...packages];
}
