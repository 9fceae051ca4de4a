/**
 * What authors of plugins for others use: `todo-item-service/extending`. Values that are there later, options, the log,
 * what watches an application, and its server.
 */

export { stageLabel } from './core/application/application.ts';
export type { Instrument, StageOrigin } from './core/application/instrument.ts';
export { packageFile } from './core/application/package-file.ts';
export {
  droppedLines,
  ignoreErrors,
  jsonLine,
  logEntry,
  logError,
  logInfo,
  logLine,
  logWarning,
  oneLine,
} from './core/log/log-line.ts';
export { attempt, thrownMessage, thrownText } from './core/log/thrown-value.ts';
export { after } from './core/message/after.ts';
export { flat } from './core/message/headers/header-lines.ts';
export { ClientGone } from './core/message/problem.ts';
export { matchedTemplate, setTrace, type TraceIds, traceOf } from './core/message/request-record.ts';
export { slotNames } from './core/message/slot.ts';
export { article, assertOptions, hint, quoted } from './core/options/assert-options.ts';
export { observed, settled } from './core/pipeline/observed.ts';
export { inPlaceOf, isGetOrHead, sourceOf } from './core/pipeline/stage.ts';
export type { Refusal, RefusalHandler, Servable } from './core/wire/connection/exchange.ts';
export { type SentReply, whenSent } from './core/wire/reply/when-sent.ts';
export { HttpService, type ServiceOptions } from './core/wire/service.ts';
