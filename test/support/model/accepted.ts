import { takeOver } from './attach.ts';
import { giveWay } from './guest.ts';
import { type BookingModel, cardOf, isFormer, type Payment } from './state.ts';

/** What follows when a payment is accepted: schedules give way, and a card that its guest entered to pay is in use. */
export function haveTaken(model: BookingModel, payment: Payment): void {
  giveWay(model, payment);
  const card = cardOf(model, payment.card);
  if (!payment.byGuest || !card.toPay || isFormer(model, card)) return;
  card.toPay = false;
  model.inUse = card.token;
  model.version += 1;
  takeOver(model, card);
}
