/** Lesson 13, answered: which values a link takes from the request. */
import { type Plugin, type RouteInput, route, text } from '../../../src/index.ts';

export const prediction = {
  "link('page', { page: 3 })": '/en/books/3',
  // The section differs from the request, so page 2 is not taken over. The default 1 is left out.
  "link('page', { section: 'maps' })": '/en/maps',
  // The given section is the same as in the request, so the page stays.
  "link('page', { section: 'books' })": '/en/books/2',
  // The language differs, so section and page are not taken. The section has no default.
  "link('page', { language: 'de' })": 'nothing',
  "link('page', { page: 1 })": '/en/books',
  // A name that the template does not have goes into the query. The other values are still taken.
  "link('page', { colour: 'red' })": '/en/books/2?colour=red',
  // A link to another route takes values from the request, too: parameters are compared by name.
  "link('search', { word: 'sea' })": '/en/search?word=sea',
};

type Input = RouteInput<{ readonly language: string; readonly section: string; readonly page: string }>;

/** Returns the paths of the four links; undefined for a link without a path. */
export const links = ({ link, values: { section, page } }: Input) => ({
  // A value is a string: `page + 1` would be 21. The handler gives only the changed values, so the links stay right if
  // another parameter is put before the language.
  next: link('page', { page: Number(page) + 1 }),
  first: link('page', { page: 1 }),
  // The page is necessary: for a reader who is already in `maps` the section does not differ, and the page would stay.
  maps: link('page', { section: 'maps', page: 1 }),
  // The language is the first parameter, so all later values must be given. Without the page the link would use the
  // default, and a reader of page 2 would get to page 1 without a warning.
  german: link('page', { language: 'de', section, page }),
});

export const plugin: Plugin = {
  name: 'lesson',
  routes: [
    route({ path: '{language}/search', name: 'search', handle: () => text('a search') }),
    route({
      path: '{language}/{section}/{page:int=1}',
      name: 'page',
      handle: (input) => text(JSON.stringify(links(input))),
    }),
  ],
};
