/** Records when the body of a request is read: by whoever asks for it first, a stage or the operation. */
import { Exchange } from '../../../instrument.ts';
import type { RequestRecording } from './request-recording.ts';
import { StationVisit } from './station-visit.ts';

/** From now on the reading of this body is a station. A streamed upload is read by its handler, and is none. */
export function watchBody(exchange: Exchange, recording: RequestRecording): void {
  const read = (): Promise<Uint8Array> => {
    if (exchange.wholeBody !== undefined) return exchange.wholeBody;
    const visit = new StationVisit(recording, { kind: 'body', label: 'body', place: undefined }, undefined);
    const body = Exchange.prototype.body.call(exchange);
    const done = (bytes: Uint8Array): void => {
      recording.body(bytes);
      visit.ended({ did: 'read', failed: false, waited: true });
    };
    body.then(done, (error: unknown) => visit.ended({ did: 'threw', failed: true, waited: true, error }));
    return body;
  };
  Object.defineProperty(exchange, 'body', { value: read });
}
