/** Lesson 4, answered: two stages whose order matters, and a guard that compares as routes do. */

import { contextWith, problemReply, type Stage } from '../../../src/index.ts';

export const prediction = {
  '[guarded, withoutVersion] answers /private/a with': 403,
  // The guard sees `/v1/private/a`, which does not begin with `/private`. The route after it sees `/private/a`.
  '[guarded, withoutVersion] answers /v1/private/a with': 200,
  '[guarded, withoutVersion] answers /v1/open/a with': 200,
  '[withoutVersion, guarded] answers /private/a with': 403,
  // The guard sees the path that the route sees.
  '[withoutVersion, guarded] answers /v1/private/a with': 403,
  '[withoutVersion, guarded] answers /v1/open/a with': 200,
};

// The guard compares a decoded segment and ignores case, like the route. So no other spelling of the path gets past it,
// and it does not refuse `/privateer`.
export const guarded: Stage = (context, next) =>
  context.segments[0]?.toLowerCase() === 'private' ? problemReply(context, 403, 'This is private') : next(context);

// The copy of the context goes to the later stages. Earlier stages keep the original with the path that was sent.
export const withoutVersion: Stage = (context, next) =>
  next(contextWith(context, { path: context.path.replace(/^\/v1(?=\/)/, '') }));

// A stage that decides by the path comes after a stage that changes it. A log of the paths that clients have sent comes
// before both.
export const stages = [withoutVersion, guarded];
