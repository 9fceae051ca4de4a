/** Who may do what: badges of the staff, sessions of a browser after a login by a form, and the keys of the kiosks. */
import { randomUUID } from 'node:crypto';
import { cookie } from '../../src/http.ts';
import { controller, problem, redirect } from '../../src/index.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { apiKeys, bearerTokens, csrfProtection } from '../../src/shelf/authentication/authentication.ts';
import type { User } from './schemas.ts';

type Role = 'keeper';

/** The member of the staff who owns each badge, by the token of the badge. */
export type Badges = Readonly<Record<string, { readonly identity: User; readonly roles?: readonly Role[] }>>;

export type Access = ReturnType<typeof accessOf>;

/** The name of the cookie. */
const SID = 'sid';
/** A working day, in seconds. */
const DAY = 8 * 3600;

const TO_START = { Location: { type: 'string', description: 'The start page' } } as const;

export function accessOf(badges: Badges) {
  const sessions = new Map<string, Badges[string]>();
  const roles: readonly Role[] = ['keeper'];
  const staff = bearerTokens(badges, { name: 'Staff', description: 'The token of your badge.', roles });
  const session = apiKeys((sid) => sessions.get(sid), { in: 'cookie', parameter: SID, name: 'Session', roles });
  const kiosk = apiKeys({ 'kiosk-1': { identity: { hall: 1 } } }, { name: 'Kiosk' });

  const sessionsController = controller({
    name: 'Sessions',
    path: '',
    operations: (operation) => [
      operation({
        method: 'POST',
        path: 'login',
        stages: [csrfProtection()],
        summary: 'Begins a session, as the form of the start page does',
        body: form({ badge: { type: 'string', maxLength: 80, required: true } }),
        responses: { 303: { description: 'The session has begun', headers: TO_START }, 403: {} },
        handle({ body: { badge } }) {
          const holder = Object.hasOwn(badges, badge) ? badges[badge] : undefined;
          if (holder === undefined) return problem(403, 'There is no such badge');
          const sid = randomUUID();
          sessions.set(sid, holder);
          return redirect('/', 303, { headers: cookie(SID, sid, { maxAge: DAY, sameSite: 'Strict' }) });
        },
      }),
      operation({
        method: 'POST',
        path: 'logout',
        summary: 'Ends the session',
        security: [session],
        responses: { 303: { description: 'The session has ended', headers: TO_START } },
        handle({ context }) {
          sessions.delete(context.cookies.get(SID)!);
          return redirect('/', 303, { headers: cookie(SID, '', { maxAge: 0 }) });
        },
      }),
    ],
  });
  return { staff, session, kiosk, sessionsController };
}
