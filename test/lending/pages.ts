/** The start page, which has a form for the login, and a site that runs in the browser. */
import { operation, type Plugin } from '../../src/index.ts';
import { html, staticSite } from '../../src/plugins/files/files.ts';
import type { Access } from './access.ts';

/** A picture of one pixel. */
const DOT = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export const startPage = ({ session }: Access): Plugin => ({
  name: 'start',
  routes: [
    operation({
      method: 'GET',
      path: '',
      security: [session, {}],
      responses: { 200: { mediaType: 'text/html' } },
      handle({ identity }) {
        const form =
          identity === undefined
            ? '<form method=post action=/v2/login><input name=badge aria-label=Badge><button>Log in</button></form>'
            : `<p id=user>${escaped(identity.name)}<form method=post action=/v2/logout><button>Log out</button></form>`;
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
