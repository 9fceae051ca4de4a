/**
 * What an operator of a service watches: the access log, the log of one request, health and metrics:
 * `todo-item-service/monitoring`.
 */

export { type AccessLog, accessLog } from './access-log.ts';
export { health } from './health.ts';
export type { Counter, Gauge, Histogram, Labels } from './metric.ts';
export { type Metrics, metrics } from './metrics.ts';
export { type LogEntry, type RequestLog, requestLog, traceContext } from './request-log.ts';
