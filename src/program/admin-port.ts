/**
 * A port of their own for `/metrics`, `/health`, `/ready` and `/trace` (`--admin-port`, D117): an application beside
 * that of the service, which has none of these paths then.
 */
import { application } from '../core/application/application.ts';
import type { Plugin } from '../core/application/plugin.ts';
import { HttpService, type ServiceOptions } from '../core/wire/service.ts';
import { adminPlace } from './listen-place.ts';
import { type Address, listen } from './listening.ts';
import type { Settings } from './settings/settings.ts';
import { AdminPortError } from './start-errors.ts';

/** What a stop waits for requests of operators, in milliseconds; those of the service have ended by then. */
const GRACE = 1000;

/** The plugin of the service that closes the port, once no other is open and before the other plugins stop. */
export interface AdminPort extends Plugin {
  /** Rejects with an `AdminPortError`. */
  listen(): Promise<Address>;
}

/** A port that these plugins answer at. */
export function adminPort(settings: Settings, plugins: readonly Plugin[], limits: ServiceOptions['limits']): AdminPort {
  const { allowedHosts, trustedProxies } = settings;
  const composed = application(plugins, { allowedHosts, trustedProxies });
  const service = new HttpService(composed, { limits });
  return {
    name: 'admin-port',
    async listen() {
      try {
        return await listen(service, adminPlace(settings)!);
      } catch (cause) {
        throw new AdminPortError('Cannot listen on the admin port', { cause });
      }
    },
    stop: () => service.close(GRACE),
  };
}
