/** `todo-item-service/logs`: the access log, the log of one request, and the trace context. */

export { type AccessLog, accessLog } from './access-log.ts';
export { type LogEntry, type RequestLog, requestLog } from './request-log.ts';
export { traceContext } from './trace-context.ts';
