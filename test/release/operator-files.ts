/** The pages that an operator reads, and the files to copy that they name, as they lie in a release. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './build-facts.ts';

/** Where each file is in the sources, by its name in a release. */
const SOURCES: Readonly<Record<string, string>> = {
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'test/release/CHANGELOG.md',
  'air-gap.md': 'test/deploy/air-gap.md',
  'deployment.md': 'test/deploy/README.md',
  'proxies.md': 'test/deploy/proxies.md',
  'settings.md': 'src/program/settings/README.md',
  'stores.md': 'src/extensions/collection/README.md',
  ...Object.fromEntries(
    [
      ...['Caddyfile', 'alerts.yml', 'compose.yml', 'dashboard.json', 'haproxy.cfg', 'kubernetes.yml', 'nginx.conf'],
      ...['todo.service', 'todo@.service'],
    ].map((name) => [name, `test/deploy/${name}`]),
  ),
  'tracing.cjs': 'test/opentelemetry/tracing.cjs',
};

const NAMES = new Map(Object.entries(SOURCES).map(([name, source]) => [source, name]));

/** The text of each file by its name. */
export const operatorFiles = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(SOURCES).map(([name, source]) => {
      const text = readFileSync(join(ROOT, source), 'utf8');
      return [name, name.endsWith('.md') ? linked(text, posix.dirname(source)) : text];
    }),
  );

/** A page with links to the files of the release. What is in the sources alone is named in place of a link. */
const linked = (page: string, folder: string): string =>
  page.replace(/\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (_, label: string, path: string, anchor = '') => {
    const source = posix.join(folder, path);
    const name = NAMES.get(source);
    return name === undefined ? `${label} (\`${source}\` in the sources)` : `[${label}](${name}${anchor})`;
  });
