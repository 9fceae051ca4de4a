/** Lesson 4: two stages whose order matters. */

import { contextWith, problemReply, type Stage } from '../../../src/index.ts';

// ▼ Your prediction here, 200 or 403: the status of the reply to each request.
export const prediction = {
  '[guarded, withoutVersion] answers /private/a with': undefined,
  '[guarded, withoutVersion] answers /v1/private/a with': undefined,
  '[guarded, withoutVersion] answers /v1/open/a with': undefined,
  '[withoutVersion, guarded] answers /private/a with': undefined,
  '[withoutVersion, guarded] answers /v1/private/a with': undefined,
  '[withoutVersion, guarded] answers /v1/open/a with': undefined,
};

// ▼ Your second change here.
export const guarded: Stage = (context, next) =>
  context.path.startsWith('/private') ? problemReply(context, 403, 'This is private') : next(context);

export const withoutVersion: Stage = (context, next) =>
  next(contextWith(context, { path: context.path.replace(/^\/v1(?=\/)/, '') }));

// ▼ Your first change here.
export const stages = [guarded, withoutVersion];
