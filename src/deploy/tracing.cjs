/**
 * Begins a span for each request and sends it where the variables `OTEL_…` say. Loaded in front of the service by
 * `--require`; as its plugin it sends what is left once the last request is answered. If that fails, a line
 * says so, and the service stops all the same.
 */
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { NodeSDK } = require('@opentelemetry/sdk-node');

const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] });
sdk.start();

module.exports = {
  name: 'opentelemetry',
  stop: () => sdk.shutdown().catch((error) => console.error(`Cannot send the last spans: ${error}`)),
};
