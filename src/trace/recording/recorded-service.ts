/** Sends requests through a recorded application, without a socket, and waits for the recording of each. */
import type { RunnableApplication } from '../../host/runnable-application.ts';
import { type InjectedReply, type InjectedRequest, inject } from '../../http/inject.ts';
import type { ListenerOptions } from '../../http/listener-options.ts';
import { HttpService } from '../../http/service.ts';
import { thrownMessage } from '../../log/thrown-value.ts';
import type { Recorder } from './recorder.ts';
import type { Recording } from './station.ts';

/** What became of a request. */
export interface RecordedAnswer {
  /** A text that says why, where the connection was closed without a reply. */
  readonly answer: InjectedReply | string;
  /** Undefined for a request that the parser refused, which no station saw. */
  readonly recording: Recording | undefined;
}

/** A client that waits for a stream without an end, or for a handler that never answers, leaves after so long. */
const PATIENCE = 5000;

/** A service whose requests are asked one after the other. */
export class RecordedService {
  readonly #recorder: Recorder;
  readonly #service: HttpService;

  /** `order` is that of the stages, by their number. */
  constructor(
    application: RunnableApplication,
    recorder: Recorder,
    limits: ListenerOptions['limits'],
    order?: readonly number[],
  ) {
    this.#recorder = recorder;
    this.#service = new HttpService(recorder.servable(application, order), limits === undefined ? {} : { limits });
    recorder.watch(this.#service.server);
  }

  /** Sends the request. Never rejects. */
  async ask(request: InjectedRequest): Promise<RecordedAnswer> {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), PATIENCE);
    const before = this.#recorder.count;
    const recorded = new Promise<Recording>((resolve) => (this.#recorder.done = ({ whole }) => resolve(whole())));
    const failed = (error: unknown): string =>
      `no answer: ${leaving.signal.aborted ? `not complete within ${PATIENCE / 1000} s` : thrownMessage(error)}`;
    const answer = await inject(this.#service.server, { ...request, signal: leaving.signal }).catch(failed);
    clearTimeout(timer);
    // A reply is here a moment before its recording ends.
    return { answer, recording: this.#recorder.count === before ? undefined : await recorded };
  }
}
