import { disputeThere } from './acquirer.ts';
import type { BookingModel, DisputeStatus, Effect } from './state.ts';

/** Records a dispute as the acquirer has it now. Returns whether anything changed. */
export function recordDispute(model: BookingModel, id: string): boolean {
  const there = disputeThere(model, id);
  if (!there) throw new Error('the model has no such dispute');
  const { amountMinor, opened, withdrawnMinor } = there;
  model.untold = model.untold.filter((it) => it !== id);
  const seen = { amountMinor, withdrawnMinor, status: statusOf(opened) };
  const known = model.disputes.find((dispute) => dispute.id === id);
  if (!known) model.disputes.push({ id, charge: opened.payment, ...seen, trail: [seen.status] });
  else if (isSame(known, seen)) return false;
  else {
    Object.assign(known, seen);
    known.trail.push(seen.status);
  }
  return true;
}

type Seen = Pick<BookingModel['disputes'][number], 'amountMinor' | 'withdrawnMinor' | 'status'>;

function isSame(one: Seen, other: Seen): boolean {
  return (
    one.status === other.status &&
    one.amountMinor === other.amountMinor &&
    one.withdrawnMinor === other.withdrawnMinor
  );
}

function statusOf({ ended }: Effect): DisputeStatus {
  return ended === 'won' || ended === 'lost' ? ended : 'needs_response';
}
