import { opensDispute, paymentThere } from './acquirer.ts';
import { type BookingModel, copyOf, paymentOf } from './state.ts';
import { canBeTakenOver } from './takeOver.ts';

/** The model as its booking is once D1 was set back to `then`, while the acquirer keeps all that happened until `now`. */
export function restored(then: BookingModel, now: BookingModel): BookingModel {
  const { effects, lost, nowMs, onTheWay, outage, retried, strays, terms } = copyOf(now);
  const cards = then.cards.map((card) => {
    // How often the acquirer declined or refused it.
    const { declines = 0, refusals = 0 } =
      now.cards.find(({ token }) => token === card.token) ?? {};
    return { ...card, declines, refusals };
  });
  const charges = effects.map(({ payment }) => payment);
  const disputes = effects.filter(opensDispute).map(({ id }) => id);
  const model = {
    ...copyOf(then),
    cards,
    effects,
    lost,
    nowMs,
    onTheWay,
    outage,
    retried,
    strays,
    terms,
    // Quotes name versions that the restored rows may have again.
    quotes: {},
    untold: [],
    wasRestored: true,
  };
  // What the acquirer declined is nothing that it tells of, nor is what it let go and nobody here knows.
  const told = charges.filter((ref) =>
    paymentOf(model, ref) ? paymentThere(model, ref) !== null : canBeTakenOver(model, ref),
  );
  return { ...model, untold: [...new Set([...told, ...disputes])] };
}
