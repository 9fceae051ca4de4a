/**
 * A second application: a house that lends cameras. It imports only entries of the package, here by their sources. In
 * your project, write `todo-item-service` for `../../src/index.ts`, `todo-item-service/http` for `../../src/http.ts`,
 * and so on.
 *
 * It has two versions with a description each, nested paths, pages, enums and dates, events, uploads, media, talks over
 * WebSockets, a login by a form, optional and combined credentials, translated problems, errors of its domain, a custom
 * store and a custom constraint.
 */
import {
  application,
  mounted,
  operations,
  type Plugin,
  type RunnableApplication,
  route,
  routesOf,
  text,
} from '../../src/index.ts';
import { description } from '../../src/plugins/description/description.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { authentication } from '../../src/shelf/authentication/authentication.ts';
import { rateLimit } from '../../src/shelf/rate-limit/rate-limit.ts';
import { type Access, accessOf, type Badges } from './access.ts';
import { devicesController, readDeviceIn } from './devices.ts';
import { firstVersion } from './first-version.ts';
import { faults, House } from './house.ts';
import { loansController } from './loans.ts';
import { mediaController } from './media.ts';
import { site, startPage } from './pages.ts';
import { talkAbout } from './talk.ts';
import { translated } from './texts.ts';

const MANUALS = new URL('manuals/', import.meta.url);

function secondVersion(house: House, access: Access): Plugin {
  const readDevice = readDeviceIn(house);
  const controllers = [
    devicesController(house, access, readDevice),
    loansController(house, access, readDevice),
    mediaController(house, access, MANUALS),
    access.sessionsController,
  ];
  const names = route({
    path: 'devices.csv',
    method: 'GET',
    summary: 'Lists the serial numbers and the names of all devices',
    responses: { 200: { mediaType: 'text/csv', description: 'A line for each device' } },
    async handle() {
      const { items } = await house.devices.select({ from: 0, size: Infinity });
      const lines = items.map(({ serial, name }) => `${serial},"${name.replaceAll('"', '""')}"\r\n`);
      return text(lines.join(''), { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
    },
  });
  return { name: 'lending', routes: [...routesOf(...controllers), names, talkAbout(access)] };
}

/** Returns the application. `badges` are those of the staff. A keeper adds and changes devices. */
export function lending(badges: Badges, ...further: readonly Plugin[]): RunnableApplication {
  const house = new House();
  const access = accessOf(badges);
  const serials: Plugin = { name: 'serials', constraints: { serial: (value) => /^[A-Z]{2}\d{4}$/.test(value) } };
  const version = (prefix: string, plugin: Plugin): readonly Plugin[] =>
    [
      swaggerPage(),
      plugin,
      description({ title: 'Lending', version: prefix.slice(1), description: 'A house that lends cameras' }),
    ].map((each) => mounted(prefix, each));
  return application([
    ...further,
    operations({ problems: translated, faults }),
    rateLimit({ limit: 1000, window: 60_000 }),
    authentication(access.staff, access.session, access.kiosk),
    serials,
    ...version('v1', firstVersion(house, access)),
    ...version('v2', secondVersion(house, access)),
    startPage(access),
    site(),
  ]);
}
