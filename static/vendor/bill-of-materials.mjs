/**
 * Writes what scanners of vendored software read: CycloneDX 1.5.
 *
 * The bundled packages stand beside swagger-ui-dist, not in it, because some scanners look at one level only; the graph
 * of dependencies says who brings whom. A bundled package has no digest: its code here is a part of its tarball, and
 * minified.
 */

/**
 * @param vendored name, version, licence and digest of the package whose files lie here
 * @param packages the packages in its files
 * @param direct the places of those that it asks for itself
 */
export function billOfMaterials(vendored, packages, direct) {
  const own = { ...library(vendored.name, vendored.version, vendored.licence), hashes: [vendored.digest] };
  const references = new Map(packages.map(({ path, name, version }) => [path, referenceTo(name, version)]));
  const toReferences = (paths) => [...new Set(paths.map((path) => references.get(path)))].sort();
  const dependencies = packages.map(({ path, needs }) => ({
    ref: references.get(path),
    dependsOn: toReferences(needs),
  }));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: [own, ...packages.map(bundled)],
    dependencies: [{ ref: own['bom-ref'], dependsOn: toReferences(direct) }, ...dependencies],
  };
  return `${JSON.stringify(bill)}\n`;
}

/** The licence that a package declares, as an expression of SPDX. Old packages have a list. */
export const licenceOf = ({ license, licenses }) => (license ?? licenses[0].type).replace(/^\((.*)\)$/, '$1');

function library(name, version, licence) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const declared = licence.includes(' ') ? { expression: licence } : { license: { id: licence } };
  return { type: 'library', 'bom-ref': referenceTo(name, version), name, version, purl, licenses: [declared] };
}

function bundled({ name, version, manifest, evidence: [confidence, technique, value] }) {
  const identity = { field: 'version', methods: [{ technique, confidence, value }] };
  return { ...library(name, version, licenceOf(manifest)), evidence: { identity } };
}

const referenceTo = (name, version) => `${name}@${version}`;
