/** Lesson 10, answered: a value that a stage passes on to the handler. */
import { type Plugin, problemReply, route, type Stage, slot, text } from '../../../src/index.ts';

export const prediction = {
  // `signedIn` comes later, so the slot is still empty.
  'user.find(context) in before, before it calls next': 'undefined',
  'user.get(context) in before, before it calls next': 'an error',
  // The value belongs to the request, not to a stage. So an access log around all stages can write the name.
  'user.get(context) in before, after next has returned': 'Ada',
  // A copy of the context has the values of the original.
  'user.get(context) in the handler': 'Ada',
  // Each request has a separate value. A variable has one value for all requests.
  'user.get(context) in the handler, after a request of Bob': 'Ada',
  'a variable instead of the slot, after a request of Bob': 'Bob',
};

/** Returns the letters of all clients, by name. It waits, as a database does. */
type Letters = () => Promise<Readonly<Record<string, string>>>;

// There is one slot for all requests, as there was one variable. But the slot has a value for each request.
const user = slot<string>('user');

// Every client can send this header. A real stage checks a password or a token before it sets the slot.
const signedIn: Stage = (context, next) => {
  const name = context.headers['x-user']?.toString();
  if (name !== undefined) user.set(context, name);
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
        // `get` is for a value that is always there: if it is missing, the program has a mistake, and the client gets a
        // 500. Here the name may be missing, and that is a mistake of the client.
        const name = user.find(context);
        if (name === undefined) return problemReply(context, 401, 'Who are you?');
        return text(all[name] ?? 'no letters');
      },
    }),
  ],
});

// What all requests share may stay in a variable: a counter, for example, or a connection to a database.
//
// A member of the context, `{ ...context, user }`, would need no slot. But such an object is not a context, and two
// plugins could choose the same name for their members.
