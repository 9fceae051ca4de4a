/** Answers for supervisors and Prometheus: `todo-item-service/monitoring`. */

export { type HealthOptions, health } from './health.ts';
export type {
  Counter,
  Gauge,
  Histogram,
  HistogramOptions,
  Labels,
  MetricMaker,
  MetricOptions,
  ReadOptions,
} from './metric.ts';
export { type Metrics, type MetricsOptions, metrics } from './metrics.ts';
