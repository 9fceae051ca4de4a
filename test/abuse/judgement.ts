/** Bytes sent, bytes received: is every answer right? */
import { SECRET } from './abused-service.ts';
import { type Answer, readAnswers } from './answers.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { framingOf } from './framing.ts';
import { faultsOf } from './rules.ts';

/** Judges one connection. Returns the answers, and everything that is wrong. */
export function judge(sent: Buffer, { ending }: Delivery, { received, how }: Outcome) {
  const framing = framingOf(sent);
  const methods = framing.methodsById;
  const idOf = ({ headers }: Pick<Answer, 'headers'>): string => headers.get('x-request-id') ?? '';
  const isHead = (answer: Pick<Answer, 'headers'>, index: number): boolean =>
    (methods.get(idOf(answer)) ?? framing.methods[index] ?? framing.refused) === 'HEAD';
  const read = readAnswers(received, isHead);
  // To a HEAD that the parser refused, the refusal comes with its body.
  const { answers, fault, cut } =
    read.fault === undefined
      ? read
      : readAnswers(
          received,
          (answer, index) =>
            isHead(answer, index) && (methods.has(idOf(answer)) || answer.headers.get('connection') !== 'close'),
        );
  const faults = answers.flatMap((answer) => faultsOf(answer));
  if (received.includes(SECRET) || received.includes('root:x:0:')) faults.push('bytes from outside of the folder');
  if (how === 'hung') faults.push('hung');
  // Whoever leaves, or goes on writing after the answer, may lose the end of what was sent to him.
  if (fault !== undefined && !(cut && (how === 'left' || how === 'reset'))) faults.push(fault);
  if (answers.length > framing.most) faults.push(`${answers.length} answers to ${framing.most} requests`);
  const ids = answers.map(idOf);
  if (new Set(ids).size < ids.length && methods.size === framing.methods.length)
    faults.push('one request answered twice');
  const told = answers.some(({ headers }) => headers.get('connection') === 'close');
  if (framing.clean && !told && how === 'closed' && answers.length < framing.most)
    faults.push(`${answers.length} answers to ${framing.most} requests, ${ending}`);
  return { answers, faults };
}
