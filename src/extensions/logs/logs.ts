/** The lines of a service (`todo-item-service/logs`): the access log, the log of one request, and the trace of both. */

export { type AccessLog, type AccessLogEntry, type AccessLogOptions, accessLog } from './access-log.ts';
export {
  type LeveledLog,
  type LogEntry,
  type LogMembers,
  type RequestLog,
  type RequestLogger,
  type RequestLogOptions,
  requestLog,
} from './request-log.ts';
export { traceContext } from './trace-context.ts';
