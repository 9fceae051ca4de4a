/** Lesson 10: a value that a stage passes on to the handler. */
import { type Plugin, problemReply, route, type Stage, text } from '../../../src/index.ts';

// ▼ Your prediction here, for a request of Ada: `'Ada'`, `'Bob'`, `'undefined'` or `'an error'`.
export const prediction = {
  'user.find(context) in before, before it calls next': undefined,
  'user.get(context) in before, before it calls next': undefined,
  'user.get(context) in before, after next has returned': undefined,
  'user.get(context) in the handler': undefined,
  // The handler waits, and a request of Bob comes. Then the handler reads the name.
  'user.get(context) in the handler, after a request of Bob': undefined,
  'a variable instead of the slot, after a request of Bob': undefined,
};

/** Returns the letters of all clients, by name. It waits, as a database does. */
type Letters = () => Promise<Readonly<Record<string, string>>>;

// ▼ Your code from here on.
let user: string | undefined;

const signedIn: Stage = (context, next) => {
  user = context.headers['x-user']?.toString();
  return next(context);
};

export const post = (letters: Letters): Plugin => ({
  name: 'post',
  stages: [signedIn],
  routes: [
    route({
      path: 'letters',
      async handle({ context }) {
        const all = await letters();
        if (user === undefined) return problemReply(context, 401, 'Who are you?');
        return text(all[user] ?? 'no letters');
      },
    }),
  ],
});
