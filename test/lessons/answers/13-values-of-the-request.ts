/** Lesson 13, answered: which values a link takes from the request. */
import { type Plugin, type RouteInput, route, text } from '../../../src/index.ts';

export const prediction = {
  "link('page', { page: 3 })": '/en/books/3',
  // The section differs from that of the request, so page 2 is not taken over, and the default 1 is left out.
  "link('page', { section: 'maps' })": '/en/maps',
  // It is given, but does not differ. So nothing ends, and the page stays.
  "link('page', { section: 'books' })": '/en/books/2',
  // The language differs: section and page are gone, and the section has no default.
  "link('page', { language: 'de' })": 'nothing',
  "link('page', { page: 1 })": '/en/books',
  // A name that the template does not have becomes the query, and ends nothing.
  "link('page', { colour: 'red' })": '/en/books/2?colour=red',
  // Another route takes from the request as well: what counts are the names.
  "link('search', { word: 'sea' })": '/en/search?word=sea',
};

type Input = RouteInput<{ readonly language: string; readonly section: string; readonly page: string }>;

/** The paths of the four links, undefined where there is none. */
export const links = ({ link, values: { section, page } }: Input) => ({
  // A value is a string: `page + 1` would be 21. The handler names only what changes; put another parameter before
  // the language, and the links stay right.
  next: link('page', { page: Number(page) + 1 }),
  first: link('page', { page: 1 }),
  // The page is needed after all: a reader who is in `maps` already gives no other section, and keeps the page.
  maps: link('page', { section: 'maps', page: 1 }),
  // The language comes first, so everything after it must be given. Without the page the default takes its place,
  // and the reader of page 2 comes to page 1 without a word.
  german: link('page', { language: 'de', section, page }),
});

export const plugin: Plugin = {
  name: 'lesson',
  routes: [
    route({ path: '{language}/search', name: 'search', handle: () => text('a search') }),
    route({
      path: '{language}/{section}/{page=1}',
      name: 'page',
      handle: (input) => text(JSON.stringify(links(input))),
    }),
  ],
};
