/** Lesson 13: which values a link takes from the request. */
import { type Plugin, type RouteInput, route, text } from '../../../src/index.ts';

// ▼ Your prediction here, for a reader at /en/books/2: the path, or 'nothing'.
export const prediction = {
  "link('page', { page: 3 })": undefined,
  "link('page', { section: 'maps' })": undefined,
  "link('page', { section: 'books' })": undefined,
  "link('page', { language: 'de' })": undefined,
  "link('page', { page: 1 })": undefined,
  "link('page', { colour: 'red' })": undefined,
  // The route `search` has the template `{language}/search`.
  "link('search', { word: 'sea' })": undefined,
};

type Input = RouteInput<{ readonly language: string; readonly section: string; readonly page: string }>;

/** Returns the paths of the four links; undefined for a link without a path. */
export function links({ link, values }: Input) {
  // ▼ Your code here.
  return {
    next: `/${values.language}/${values.section}/${values.page + 1}`,
    first: link('page'),
    maps: link('page', { section: 'maps', page: values.page }),
    german: link('page', { language: 'de' }),
  };
}

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
