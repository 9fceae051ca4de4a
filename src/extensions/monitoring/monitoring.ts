/**
 * `todo-item-service/monitoring`: the access log, the log of one request, health checks and metrics.
 */

export { type AccessLog, accessLog } from './access-log.ts';
export { health } from './health.ts';
export type { Counter, Gauge, Histogram, Labels } from './metric.ts';
export { type Metrics, metrics } from './metrics.ts';
export { type LogEntry, type RequestLog, requestLog, traceContext } from './request-log.ts';
