import { on } from 'node:events';
import { description } from '../../../src/extensions/description/description.ts';
import { events } from '../../../src/extensions/events/events.ts';
import { application, operation, type Plugin } from '../../../src/index.ts';
import { Newsroom } from '../shared.ts';

export const newsroom = new Newsroom();

const news: Plugin = {
  name: 'news',
  controllers: [
    {
      name: 'News',
      path: 'news',
      operations: [
        operation({
          method: 'GET',
          path: '',
          responses: { 200: { mediaType: 'text/event-stream' } },
          handle: ({ context }) =>
            events(context, async function* ({ lastEventId, signal }) {
              const coming = on(newsroom, 'news', { signal });
              yield* newsroom.told.slice(Number(lastEventId ?? newsroom.told.length));
              for await (const [item] of coming) yield item;
            }),
        }),
      ],
    },
  ],
};

export const app = application([news, description({ title: 'News' })]);
