/** The services that descriptions are made of: model, casing, comments, base path and every member of info. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printedBy } from './service.js';

const INFO = join(mkdtempSync(join(tmpdir(), 'info-')), 'info.json');
writeFileSync(
  INFO,
  JSON.stringify({
    ...{ title: 'Things to do', version: 'v1.2', description: 'Says <b>what</b> is to do' },
    termsOfService: 'https://todo.example/terms',
    contact: { name: 'The team', url: 'https://todo.example/team', email: 'team@todo.example' },
    license: { name: 'MIT', url: 'https://todo.example/licence' },
  }),
);

export const BASE = { name: 'base-camelCase', naming: 'camelCase', model: 'base', flags: [] };
export const ANNOTATED = {
  name: 'annotated-PascalCase',
  naming: 'PascalCase',
  model: 'annotated',
  flags: ['--model', 'annotated', '--property-naming', 'PascalCase', '--base-path', '/service/v2'],
};

export const VARIANTS = [
  BASE,
  ANNOTATED,
  { name: 'base-PascalCase-without-comments', flags: ['--property-naming', 'PascalCase', '--comments', 'off'] },
  {
    name: 'annotated-camelCase-every-member-of-info',
    flags: ['--model', 'annotated', '--base-path', '/service', '--info', INFO],
  },
];

/** The document of a variant, made without a server: `2.0` or `3.1`. */
export const describe = ({ flags }, format) =>
  printedBy('src/service/commands.ts', 'describe', ...flags, ...(format === '3.1' ? ['--openapi'] : []));
