/** Refuses TLS without a certificate, with which Node would listen and fail in each handshake. */
import type { TlsOptions } from 'node:tls';
import { assertObject } from './assert-options.ts';

/** Any of these is a certificate, gives one, or does without. */
const SOURCES = ['cert', 'pfx', 'SNICallback', 'secureContext', 'pskCallback'] as const;
const KEYS = ['key', 'privateKeyIdentifier'] as const;
const REMEDY = "{ cert: readFileSync('cert.pem'), key: readFileSync('key.pem') } for example";

/** Throws a `TypeError` that says what to give. */
export function assertTls(tls: TlsOptions): void {
  assertObject('serve over TLS', tls, REMEDY);
  const given: Partial<Record<string, unknown>> = { ...tls };
  const has = (name: string): boolean => given[name] !== undefined;
  if (!SOURCES.some(has)) throw new TypeError(`Cannot serve over TLS without a certificate: give ${REMEDY}`);
  if (has('cert') && !KEYS.some(has)) throw new TypeError(`Cannot serve over TLS without a key: give ${REMEDY}`);
  for (const name of ['cert', 'key'])
    if ([given[name]].flat().some((one) => typeof one === 'string' && !one.includes('-----BEGIN ')))
      throw new TypeError(
        `Cannot serve over TLS with this "${name}": it is not the text of a PEM file, which is wanted, and no path; ` +
          `give readFileSync('${name}.pem')`,
      );
}
