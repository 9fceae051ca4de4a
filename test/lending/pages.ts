/** The start page, which has a form for the login, and a site that runs in the browser. */
import { type Plugin, route } from '../../src/index.ts';
import { html, staticSite } from '../../src/plugins/files/files.ts';
import type { Access } from './access.ts';

/** A picture of one pixel. */
const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/**
 * Returns the plugin with the page. It asks for the session itself: `security: [session, {}]` would answer 401 to a
 * browser with the cookie of an old session, which could then not log in.
 */
export const startPage = ({ session }: Access): Plugin => ({
  name: 'start',
  routes: [
    route({
      path: '',
      method: ['GET', 'HEAD'],
      async handle({ context }) {
        const caller = await session.authenticate(context);
        const form =
          caller.found === 'valid'
            ? `<p id=user>${escaped(caller.identity.name)}<form method=post action=/v2/logout><button>Log out</button></form>`
            : '<form method=post action=/v2/login><input name=badge aria-label=Badge><button>Log in</button></form>';
        return html(`<!doctype html><html lang=en><title>Lending</title><img alt="" src="${DOT}">${form}</html>`, {
          images: ['data:'],
          headers: { 'Cache-Control': 'no-store' },
        });
      },
    }),
  ],
});

/** The site below `/shelf`. Its assets have a hash in their names. */
export const site = (): Plugin =>
  staticSite({
    root: new URL('site', import.meta.url),
    immutable: 'assets/*',
    fallback: { for: 'shelf/*', file: 'shelf.html' },
  });
