/**
 * Finds which packages are in swagger-ui-bundle.js and swagger-ui.css, and which versions of them.
 *
 * The names come from the log of sizes that the build leaves in the tarball. The source map of the bundle cannot tell
 * them: it is the same file in 5.31.2 and in 5.35.0, it ends long before the bundle does, and it names packages that
 * are gone. The log also names what the build reads and then leaves out, for 5.35.0 unraw and
 * @swagger-api/apidom-json-pointer. The map of the style sheet is renewed with each release.
 *
 * The lock file of the build is not published. So each version is, in this order, what the code itself says (TOLD),
 * what was found by hand (HELD), and else the newest that the ranges allowed at the time of the build. The ranges are
 * those of swagger-ui-react, which is published from the same sources, because the registry lacks some versions of
 * swagger-ui, 5.35.0 for one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where the code itself says its version. */
const TOLD = {
  autolinker: /Autolinker\.version="([^"]+)"/,
  'core-js-pure': /version:"([^"]+)",mode:\w+\?"pure":"global"/,
  dompurify: /DOMPurify\.version="([^"]+)"/,
  'highlight.js': /\.versionString="([^"]+)"/,
  immutable: /\.toSet\(\)\}var \w+="([^"]+)"/,
  'normalize.css': /normalize\.css v([\d.]+)/,
  react: /\.useTransition\(\)\},\w+\.version="([^"]+)"/,
  'react-dom': /version:"([^"]+)",rendererPackageName:"react-dom"/,
  'short-unique-id': /dict=\[\],this\.version="([^"]+)"/,
};

/**
 * Versions that the lock file of the build held although the ranges allow newer ones, by the version of Swagger UI.
 *
 * To find them: install what this file resolves, bundle swagger-ui-es-bundle-core.js there with webpack, beside it the
 * modules that only swagger-ui.js asks for, and compare the sizes that webpack-bundle-size-analyzer prints with the log
 * in the tarball. Webpack 5.105 counts as the build does; 5.112 skips unused modules before it counts. With these
 * versions all 115 packages of the log have its sizes. Of versions that have the same code the newest stands here which
 * fits the ranges of the others: @babel/runtime-corejs3 from 7.28.0 on would ask for a newer core-js-pure.
 */
const HELD = {
  '5.35.0': {
    '@babel/runtime': '7.29.7',
    '@babel/runtime-corejs3': '7.27.6',
    'call-bind': '1.0.8',
    'call-bound': '1.0.3',
    'get-intrinsic': '1.2.7',
    'react-redux': '9.3.0',
    'react-syntax-highlighter': '16.1.1',
    reselect: '5.1.1',
    'to-buffer': '1.2.1',
    tslib: '2.8.1',
    'which-typed-array': '1.1.18',
  },
};

/** What the build takes in beside the dependencies, with the ranges of swagger-ui 5.33.0 and, for events, webpack. */
const BESIDE = {
  deepmerge: '^4.3.1',
  events: '^3.2.0',
  process: '^0.11.10',
  'stream-browserify': '^3.0.0',
  'tachyons-sass': '^4.9.5',
};

/** Confidence in a version, and what it rests on, in the words of CycloneDX. */
const EVIDENCE = {
  told: [1, 'source-code-analysis', 'The code in swagger-ui-dist says this version.'],
  sized: [0.9, 'other', 'A file has the size in the log of the build.'],
  rebuilt: [0.8, 'other', 'A build by hand has the size in the log of the build.'],
  resolved: [0.6, 'manifest-analysis', 'The newest version that the ranges allowed at the time of the build.'],
};

const npm = (folder, ...command) =>
  execFileSync('npm', [...command, '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
/** The order of two texts, the same on every machine. */
const order = (one, other) => (one < other ? -1 : Number(one > other));
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/**
 * The packages in the two files, sorted by name, each with its version, its `package.json`, the folder of its tarball,
 * the packages it asks for, and what its version rests on.
 *
 * @param published the files of the tarball of swagger-ui-dist
 * @param read called with the packages while their folders are there
 */
export function withBundledPackages(version, published, read) {
  const bundle = published.get('swagger-ui-bundle.js').toString();
  const style = published.get('swagger-ui.css').toString();
  const sizes = loggedSizes(published.get('log.bundle-sizes.swagger-ui.txt').toString());
  for (const path of styledPackages(JSON.parse(published.get('swagger-ui.css.map')))) sizes.set(path, undefined);
  const told = Object.fromEntries(Object.entries(TOLD).map(([name, text]) => [name, toldVersion(name, text)]));
  if (!(version in HELD)) console.warn(`Of ${version} no versions are held: see HELD in bundled-packages.mjs`);
  const builtAt = new Date(/BUILD_TIME:"([^"]+)"/.exec(bundle)[1]);
  const scratch = mkdtempSync(join(tmpdir(), 'vendor-'));
  try {
    const direct = install(scratch, version, { ...HELD[version], ...told }, builtAt);
    const locked = readJson(scratch, 'package-lock.json').packages;
    const packages = [...sizes].map(([path, size]) => {
      if (locked[path] === undefined) throw new Error(`Cannot tell the version of ${path}: nothing asks for it`);
      const folder = join(scratch, path);
      const manifest = readJson(folder, 'package.json');
      const evidence = EVIDENCE[groundFor(manifest.name, size, folder)];
      const asked = { ...locked[path].dependencies, ...locked[path].peerDependencies };
      const needs = Object.keys(asked).flatMap((name) => placeOf(name, path, sizes) ?? []);
      return { path, name: manifest.name, version: locked[path].version, manifest, folder, needs, evidence };
    });
    packages.sort((one, other) => order(one.name, other.name) || order(one.path, other.path));
    return read(
      packages,
      direct.map((name) => `node_modules/${name}`).filter((path) => sizes.has(path)),
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }

  function toldVersion(name, text) {
    const found = text.exec(bundle) ?? text.exec(style);
    if (found === null) throw new Error(`Cannot find where the code says the version of ${name}: see TOLD`);
    return found[1];
  }

  function groundFor(name, size, folder) {
    const sized = filesIn(folder).some((path) => printed(statSync(path).size) === size);
    // Of packages that are one file: a log of another build would give another size.
    if (['dompurify', 'immutable'].includes(name) && !sized) throw new Error(`The log gives ${name} another size`);
    if (name in told) return 'told';
    if (sized) return 'sized';
    return version in HELD && size !== undefined ? 'rebuilt' : 'resolved';
  }
}

/** The places in the tree of the build, such as `node_modules/a/node_modules/b`, with the sizes that the log prints. */
function loggedSizes(log) {
  const sizes = new Map();
  const above = [];
  for (const [, indent, name, size] of log.matchAll(/^( *)(\S+): (.+) \(.*\)$/gm)) {
    if (name === '<self>') continue;
    above.length = indent.length / 2;
    above.push(`node_modules/${name}`);
    sizes.set(above.join('/'), size);
  }
  return sizes;
}

/** The packages whose styles are in the style sheet. tachyons-sass brings a copy of normalize.css, with its banner. */
const styledPackages = ({ sources }) => [
  ...new Set(sources.flatMap((source) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [])),
  'node_modules/normalize.css',
];

/** Installs what the build was made from, without its scripts, and returns the names that the build itself asks for. */
function install(scratch, version, exact, builtAt) {
  const wanted = ['dependencies', 'peerDependencies'];
  const manifest = JSON.parse(npm(scratch, 'view', `swagger-ui-react@${version}`, ...wanted, '--json'));
  const ranges = { ...manifest.peerDependencies, ...manifest.dependencies, ...BESIDE };
  const dependencies = Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, exact[name] ?? range]));
  dependencies['normalize.css'] = exact['normalize.css'];
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ dependencies, overrides: exact }));
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  npm(scratch, 'install', ...options, `--before=${builtAt.toISOString()}`);
  return Object.keys(dependencies);
}

/** Where Node finds a package that is asked for from `path`; undefined where it is not among the places. */
function placeOf(name, path, places) {
  for (let at = path; at !== '.'; at = dirname(at)) {
    if (places.has(`${at}/node_modules/${name}`)) return `${at}/node_modules/${name}`;
  }
  return places.has(`node_modules/${name}`) ? `node_modules/${name}` : undefined;
}

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

/** A size as the log of the build prints it. */
const printed = (size) => (size < 1024 ? `${size} B` : `${Number((size / 1024).toFixed(2))} KB`);
