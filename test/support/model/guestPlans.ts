import * as fc from 'fast-check';
import * as draft from './drafts.ts';
import { perform } from './perform.ts';
import { doing, type Plan } from './planning.ts';
import { price, termsNow } from './price.ts';
import type { Session, Step } from './steps.ts';

/** A guest pays with a card of theirs, which is added where they have none. */
export function guestPays(pays: fc.Arbitrary<draft.Draft>): fc.Arbitrary<Plan> {
  return fc.tuple(draft.addAsGuest, pays, fc.boolean()).map(
    ([add, pay, isNew]): Plan =>
      (session) => {
        const paid = isNew ? null : pay(session);
        if (paid) return doing(paid);
        return paidOnNew(session, add, pay);
      },
  );
}

/** A guest pays with a card whose bank asks. What then happens at the bank and here comes in any order, if at all. */
export function guestAtBank(): fc.Arbitrary<Plan> {
  const next = fc.oneof(
    draft.decideAtBank,
    draft.decideAtBank,
    draft.comeBack,
    draft.cancelBooking,
    draft.changeAccount,
  );
  return fc.tuple(draft.addAskingBank, draft.guestPays, fc.array(next, { maxLength: 3 })).map(
    ([add, pay, then]): Plan =>
      (session) => {
        const steps = paidOnNew(session, add, pay);
        if (!steps) return null;
        const model = steps.reduce(
          (before, it) => (it.step === 'do' ? perform(before, it.operation).model : before),
          session.model,
        );
        const after = then.flatMap((make) => make({ ...session, model }) ?? []);
        return [...steps, ...after.flatMap(doing)];
      },
  );
}

/** A card is entered to pay with, and something is paid with it. */
function paidOnNew(session: Session, add: draft.Draft, pay: draft.Draft): Step[] | null {
  const added = add(session);
  if (added?.do !== 'attach') return null;
  const entered = { ...added, toPay: true };
  const { model } = perform(session.model, entered);
  const paid = pay({ ...session, model });
  if (paid?.do !== 'guest pays') return null;
  const card = model.cards.at(-1);
  if (!card) return null;
  const { amountMinor: agreedMinor } = price(paid.requestedMinor, termsNow(model, card, false));
  return [...doing(entered), ...doing({ ...paid, agreedMinor, token: card.token })];
}
