/**
 * Renews the files of Swagger UI in static/swagger-ui/ (`npm run vendor`).
 *
 * The package itself is never a dependency: it asks for another one that phones home when it is installed. So its
 * tarball is fetched, compared with the digest below, and the files that the page needs are taken out byte for byte,
 * their licences with them. Beside what a browser takes compressed, `.br` and `.gz` are laid; nothing is compressed
 * while the service runs. SHA256SUMS covers everything, our own page included: run this after editing index.html,
 * init.js or custom.css too. The same files give the same bytes with the same Node version; another zlib may compress
 * to other bytes.
 *
 * sbom.cdx.json lists the packages that are bundled in these files, and THIRD-PARTY-LICENSES.txt has their licences.
 * For both the registry is asked, whether the tarball is given or not; no script of a package runs.
 *
 * To move to another version: change VERSION, run, and the refusal names the digest that the registry gave. Compare it
 * with `npm view swagger-ui-dist@VERSION dist.integrity` asked from elsewhere, then write it down here. The versions of
 * the bundled packages want a look then: see HELD in vendor/bundled-packages.mjs.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { billOfMaterials } from './vendor/bill-of-materials.mjs';
import { withBundledPackages } from './vendor/bundled-packages.mjs';
import { licenceTexts } from './vendor/licence-texts.mjs';

const NAME = 'swagger-ui-dist';
const VERSION = '5.35.0';
const INTEGRITY = 'sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ==';
const TAKEN = [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
];
const OWN = ['custom.css', 'index.html', 'init.js'];
const COMPRESSED = /\.(?:js|css|html)$/;
/** Below this many bytes a body fits one packet as it is. */
const SMALLEST = 1400;

const folder = fileURLToPath(new URL('swagger-ui/', import.meta.url));
const digest = (algorithm, bytes, encoding) => createHash(algorithm).update(bytes).digest(encoding);

/**
 * The tarball's bytes: the file given on the command line, or what the registry has. Ends the process unless the digest
 * is ours.
 */
function tarball(given) {
  const scratch = mkdtempSync(join(tmpdir(), 'vendor-'));
  try {
    if (given === undefined) {
      const command = ['pack', `${NAME}@${VERSION}`, '--silent', '--pack-destination', scratch];
      execFileSync('npm', command, { stdio: ['ignore', 'ignore', 'inherit'] });
    }
    const bytes = readFileSync(given ?? join(scratch, `${NAME}-${VERSION}.tgz`));
    const found = `sha512-${digest('sha512', bytes, 'base64')}`;
    if (found === INTEGRITY) return bytes;
    console.error(`Cannot vendor ${NAME}@${VERSION}: its tarball is ${found}, not ${INTEGRITY}`);
    return process.exit(1);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The files of a ustar archive, by name: blocks of 512 bytes, a head with name and octal size, then the file. */
function unpack(archive) {
  const files = new Map();
  const field = (at, length) => archive.toString('latin1', at, at + length).split('\0', 1)[0];
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(field(at + 124, 12), 8);
    files.set(field(at, 100).replace(/^package\//, ''), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

const published = unpack(gunzipSync(tarball(process.argv[2])));
const vendored = {
  name: NAME,
  version: VERSION,
  licence: 'Apache-2.0',
  digest: { alg: 'SHA-512', content: Buffer.from(INTEGRITY.slice('sha512-'.length), 'base64').toString('hex') },
};
const written = withBundledPackages(VERSION, published, (packages, direct) => ({
  'sbom.cdx.json': billOfMaterials(vendored, packages, direct),
  'THIRD-PARTY-LICENSES.txt': licenceTexts(
    `The licences of the packages in swagger-ui-bundle.js and swagger-ui.css of ${NAME} ${VERSION}, which itself is\n` +
      'under the Apache License 2.0 (LICENSE, NOTICE). static/vendor-swagger-ui.mjs writes this file.',
    packages,
  ),
}));

for (const name of readdirSync(folder)) if (!OWN.includes(name)) rmSync(join(folder, name));
for (const name of TAKEN) writeFileSync(join(folder, name), published.get(name));
for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
writeFileSync(join(folder, 'VERSION'), `${NAME} ${VERSION}\n${INTEGRITY}\n`);

for (const name of [...TAKEN, ...OWN].filter((name) => COMPRESSED.test(name))) {
  const bytes = readFileSync(join(folder, name));
  if (bytes.length < SMALLEST) continue;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}

const names = readdirSync(folder)
  .filter((name) => name !== 'SHA256SUMS')
  .sort();
const sums = names.map((name) => `${digest('sha256', readFileSync(join(folder, name)), 'hex')}  ${name}\n`);
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(`${NAME} ${VERSION}: ${names.length} files in static/swagger-ui`);
