/**
 * How an application is watched: `todo-item-service/instrument`. Stages and handlers followed, and the parts of the
 * server.
 */

export { stageLabel, stageSubject } from './core/application/application.ts';
export type { Answering, ComposedApplication } from './core/application/plugin.ts';
export { slotNames } from './core/message/slot.ts';
export type { Instrument, StageOrigin } from './core/operations/instrument.ts';
export { sourceOf } from './core/pipeline/stage.ts';
export { followed, type StageEnd, type Visit, watched } from './core/pipeline/watched.ts';
export { Exchange, type Refusal, type RefusalHandler, type Servable } from './core/wire/connection/exchange.ts';
export { headSent, serverOf } from './core/wire/connection/node-internals.ts';
export { connectInMemory } from './core/wire/in-memory.ts';
export { type SentReply, whenSent } from './core/wire/reply/when-sent.ts';
export { writeReply } from './core/wire/reply/write-reply.ts';
export { HttpService, type ServiceOptions } from './core/wire/service.ts';
export { validateRequest } from './core/wire/validate-request.ts';
