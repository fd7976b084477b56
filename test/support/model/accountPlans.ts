import * as fc from 'fast-check';
import * as draft from './drafts.ts';
import { after, doing, onNewCard, type Plan } from './planning.ts';
import type { Session, Step } from './steps.ts';

/** The property's account changes, and after a while its guest or the property gives another card. */
export function newAccount(): fc.Arbitrary<Plan> {
  return fc.tuple(draft.changeAccount, giving(), draft.duration).map(
    ([change, give, ms]): Plan =>
      (session) => {
        const changed = change(session);
        if (!changed) return null;
        const model = after(session.model, [changed]);
        return [...doing(changed), ...givenLater({ ...session, model }, give, ms)];
      },
  );
}

/** The property's account changes before the time of a schedule, and its guest gives another card in time, late or never. */
export function formerSchedule(): fc.Arbitrary<Plan> {
  const attach = fc.oneof(draft.attach, draft.attachDeclining, draft.attachSoon);
  return fc
    .record({
      attach,
      schedule: draft.schedule,
      isNamed: fc.boolean(),
      change: draft.changeAccount,
      give: fc.option(giving(), { nil: null, freq: 4 }),
      ms: draft.duration,
    })
    .map(
      ({ attach, change, give, isNamed, ms, schedule }): Plan =>
        (session) => {
          const [attached, named] = onNewCard(session, attach, schedule);
          const changed = change(session);
          if (!attached || named?.do !== 'pay' || !changed) return null;
          const scheduled = isNamed ? named : { ...named, token: null };
          const done = [attached, scheduled, changed];
          const later =
            give && givenLater({ ...session, model: after(session.model, done) }, give, ms);
          return [...done.flatMap(doing), ...(later ?? [])];
        },
    );
}

function giving(): fc.Arbitrary<draft.Draft> {
  return fc.oneof(draft.attach, draft.attachAccepting, draft.addAsGuest, draft.attachSoon);
}

/** Time passes, and a card is given, which the account of then keeps. */
function givenLater(session: Session, give: draft.Draft, ms: number): Step[] {
  const untilMs = session.model.nowMs + ms;
  const given = give({ ...session, model: { ...session.model, nowMs: untilMs } });
  return [{ step: 'pass', untilMs, early: false }, ...(given ? doing(given) : [])];
}
