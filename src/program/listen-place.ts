/** Says where the service listens, and where its admin port is (D114, D117). */

/** A host, with a port or as a Unix socket, and whether other services share the port. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
}

/** The path of a host that is a Unix socket; undefined for others. */
export const socketPathOf = (host: string): string | undefined =>
  host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;

/** The settings of the admin port. */
export interface AdminSettings {
  readonly adminHost: string;
  readonly adminPort: number | undefined;
}

/** The place of the admin port; undefined where there is none. A Unix socket has no port. */
export const adminPlace = ({ adminHost: host, adminPort: port }: AdminSettings): Place | undefined =>
  port === undefined && socketPathOf(host) === undefined ? undefined : { host, port: port ?? 0 };
