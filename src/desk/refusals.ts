import type { Failure } from '../core/failure.ts';
import { lazy } from '../core/lazy.ts';
import { staffMessages } from '../core/words/staff.ts';
import { declineCopy, words } from './words.ts';

type Name = keyof typeof words.below;

/** What the rooms below say in the words of the interface: people at a desk read other ones in English, too. */
const OF_THE_INTERFACE: Partial<Record<Name, string>> = {
  beyondLimit:
    'Your role refunds up to the limit of the property, {limit} of one booking in a day. {left} of that is left today. Ask a manager: that role refunds any amount.',
  answerUnderWay: 'An answer to the dispute is on its way to the gateway.',
  refundUnknown:
    'The gateway did not answer. The service is checking the outcome and refunds nothing twice.',
  refundRefused: 'The gateway did not accept the refund. Nothing was refunded.',
  refundedInPart: 'The gateway did not accept the whole refund. `refunds` lists what was refunded.',
  notAtGateway: 'The gateway does not know this charge, so it cannot refund it.',
  wrongHold: 'The pre-authorization is {status}.',
  noHold: 'This transaction is not a pre-authorization.',
  noSchedule: 'This transaction is not a scheduled charge.',
  noToken: 'There is no card with this token.',
  noTransaction: 'The booking has no transaction with this id.',
  wrongTransaction: 'The transaction is {status}.',
  otherQuote: 'The quote is of another payment. Nothing was charged.',
  quoteStale: 'The quote no longer holds. Nothing was charged; ask for another quote.',
  holdExpired: 'The pre-authorization has expired.',
  exceedsHold: 'The amount is more than was authorized.',
  outcomeReported: 'The gateway reported the outcome: the operation is {status}.',
  otherCancellation: 'This is no quote of a cancellation of this booking. Nothing was cancelled.',
  cancellationStale: 'The quote no longer holds. Nothing was cancelled; ask for another quote.',
  keyReused: 'This idempotency key was used for another request.',
  cannotMail: 'This deployment cannot send e-mail: EMAIL and MAIL_FROM are not set.',
  stillRunning:
    'The first request with this Idempotency-Key is still running. Send it again later to get its answer.',
  differenceClosed: 'The exception is closed: the records agree.',
  noDifference: 'No exception has this id.',
  noPayout: 'The property has no disbursement with this id.',
  noReport: 'The property has no report with this id.',
  internal: 'Internal error. Quote requestId when you report it.',
  duplicate:
    'The booking has a payment like this one already. Send allowDuplicate, or an Idempotency-Key, to make another.',
  lastBeforeFirst: 'to must not come before from.',
};

/** Tells a message the names of what it is told: `{status}`. */
const NAMES = new Proxy({}, { has: () => true, get: (_, name) => `{${String(name)}}` }) as never;

/** How the rooms below say each refusal, in English: `{name}` in a text is whatever stands there. */
const refusalsTold = lazy(() =>
  Object.entries({ ...staffMessages.of('en').below, ...OF_THE_INTERFACE }).map(([name, said]) => {
    const text = typeof said === 'string' ? said : said(NAMES);
    const literally = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    const pattern = literally.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
    return { name: name as Name, pattern: new RegExp(`^${pattern}$`) };
  }),
);

/** Why something was not done, for people at a desk: callers of the interface read other words. */
export function failureCopy({ code, detail, members }: Failure): string {
  const { notDone } = words.actions;
  switch (code) {
    case 'no_card':
      return notDone.noCard;
    case 'outcome_unknown':
      return notDone.outcomeUnknown;
    case 'card_declined':
      return members?.transaction
        ? notDone.declined({ reason: declineCopy(members.declineCode ?? null) })
        : refusalCopy(detail);
    case 'gateway_error':
      return members?.transaction ? notDone.gateway : refusalCopy(detail);
    default:
      return refusalCopy(detail);
  }
}

/** What is wrong with something that was sent, by each of its faulty fields. */
export function faultsCopy(failure: Failure): string {
  return (
    failure.fields?.map(({ message }) => refusalCopy(message)).join(' ') ?? failureCopy(failure)
  );
}

/** A refusal of the rooms below in the words of the desk. One that nobody has words for stays as it is. */
function refusalCopy(detail: string): string {
  for (const { name, pattern } of refusalsTold()) {
    const found = pattern.exec(detail);
    if (found === null) continue;
    const text: string | ((values: never) => string) = words.below[name];
    return typeof text === 'string' ? text : text({ ...found.groups } as never);
  }
  return detail;
}
