/** Exports all public names together, so that a test can check each of them. */

export * from '../../src/extending.ts';
export * from '../../src/http.ts';
export * from '../../src/index.ts';
export * from '../../src/operations/schema/schemas.ts';
export * from '../../src/operations/uploads/upload.ts';
export * from '../../src/plugins/collection/collection.ts';
export * from '../../src/plugins/description/description.ts';
export * from '../../src/plugins/files/files.ts';
export * from '../../src/plugins/swagger-page/swagger-page.ts';
export * from '../../src/plugins/todo/todo.ts';
export * from '../../src/plugins/trace/trace.ts';
export * from '../../src/shelf/authentication/authentication.ts';
export * from '../../src/shelf/compression/compression.ts';
export * from '../../src/shelf/cors/cors.ts';
export * from '../../src/shelf/events/events.ts';
export * from '../../src/shelf/health/health.ts';
export * from '../../src/shelf/logs/logs.ts';
export * from '../../src/shelf/methods/methods.ts';
export * from '../../src/shelf/metrics/metrics.ts';
export * from '../../src/shelf/rate-limit/rate-limit.ts';
export * from '../../src/shelf/redis/redis-store.ts';
export * from '../../src/shelf/rows/rows.ts';
export * from '../../src/shelf/sqlite/sqlite-store.ts';
export * from '../../src/testing.ts';
