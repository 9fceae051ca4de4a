/** Sends requests to a copy of the application, one after the other, with its stages in any order. */
import type { ListenerOptions, RunnableApplication } from '../../index.ts';
import type { StageOrigin } from '../../instrument.ts';
import { type AskedRequest, type RecordedAnswer, recordedService } from './recorded-service.ts';
import { Recorder } from './recorder.ts';

/** A copy, which is composed at the first request, and keeps what is tried until it is made anew. */
export interface Copy {
  /** Sends a request to the copy, with its stages in the order of these. Rejects with the error of a failed start. */
  send(request: AskedRequest, order: readonly StageOrigin[]): Promise<RecordedAnswer>;
  /** Stops the copy. The next request makes another. */
  reset(): Promise<void>;
}

/** The copy that `make` makes each time that it is made anew. */
export function copyMadeBy(
  make: () => RunnableApplication | Promise<RunnableApplication>,
  limits: NonNullable<ListenerOptions['limits']>,
): Copy {
  let making: ReturnType<typeof made> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const turn = last.then(action);
    last = turn.catch(() => {});
    return turn;
  }

  async function made() {
    const recorder = new Recorder();
    const application = (await make()).recomposed(recorder);
    await application.start();
    // By the order of the stages.
    return { application, recorder, services: new Map<string, ReturnType<typeof recordedService>>() };
  }

  return {
    send: (request, order) =>
      inTurn(async () => {
        making ??= made();
        const { application, services, recorder } = await making.catch((error: unknown) => {
          making = undefined;
          throw error;
        });
        const numbers = numbersOf(order, application);
        const key = numbers.join();
        const service = services.get(key) ?? recordedService(application, recorder, limits, numbers);
        services.set(key, service);
        return service(request);
      }),
    reset: () =>
      inTurn(async () => {
        const copy = await making;
        making = undefined;
        await copy?.application.stop();
      }),
  };
}

/** The numbers of the stages in the copy, which may lack some. */
function numbersOf(order: readonly StageOrigin[], { stageOrigins }: RunnableApplication): readonly number[] {
  const key = ({ plugin, place, name }: StageOrigin): string => [plugin, place ?? name].join();
  const numbers = new Map(stageOrigins.map((origin, number) => [key(origin), number]));
  return order.flatMap((origin) => numbers.get(key(origin)) ?? []);
}
