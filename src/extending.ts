/**
 * What authors of plugins for others use: `todo-item-service/extending`. Values that are there later, options, the log.
 */

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
export { article, assertOptions, hint, quoted } from './core/options/assert-options.ts';
export { isGetOrHead } from './core/pipeline/stage.ts';
export { observed, settled } from './core/pipeline/watched.ts';
