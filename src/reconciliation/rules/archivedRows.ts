import type { GatewayMovement } from '../../gateways/movements.ts';
import type { GatewayName } from '../../platform/config.ts';
import type { ArchivedRows } from '../../records/archive/rows.ts';
import { movementKinds } from './differences.ts';

/** What is compared of an entry of the history, as a file of the archive has it. */
interface Entry {
  readonly charge_id: number;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly movement: string | null;
  readonly gateway: string | null;
  readonly gateway_reference: string | null;
  readonly currency: string;
  readonly amount_minor: number;
}

/** The same of a charge. */
interface Charge {
  readonly id: number;
  readonly reference: string;
  readonly amount_minor: number;
}

/** The same of a refund. */
type Refund = Pick<Charge, 'id' | 'reference'>;

/** The tables of a file that are compared. One without rows is left out. */
interface Compared {
  readonly history?: readonly Entry[];
  readonly transactions?: readonly Charge[];
  readonly refunds?: readonly Refund[];
}

/** A movement of an archived booking, with what it is of. */
interface Moved {
  readonly entry: Entry;
  readonly charge: Charge;
  readonly refund: Refund | undefined;
}

/**
 * The movements that an archived booking has, by the rule by which D1 finds them in the history (`markMovements`): its file says
 * it, so that the booking need not come back for what agrees.
 */
export function inArchive(
  gateway: GatewayName,
  movements: readonly GatewayMovement[],
  rows: ArchivedRows,
): GatewayMovement[] {
  const all = movedIn(gateway, rows);
  return movements.filter((movement) => all.some((one) => isSame(movement, one, all)));
}

function movedIn(gateway: GatewayName, rows: ArchivedRows): Moved[] {
  const { history = [], refunds = [], transactions = [] } = rows as unknown as Compared;
  return history.flatMap((entry) => {
    const charge = transactions.find(({ id }) => id === entry.charge_id);
    if (entry.movement === null || entry.gateway !== gateway || !charge) return [];
    const isOfRefund = entry.subject_kind === 'refund';
    const refund = isOfRefund
      ? refunds.find(({ id }) => id === Number(entry.subject_id))
      : undefined;
    return [{ entry, charge, refund }];
  });
}

function isSame(movement: GatewayMovement, one: Moved, all: readonly Moved[]): boolean {
  const { about, amountMinor, currency, kind, subject } = movement;
  const { charge, entry, refund } = one;
  if (about === null || currency !== entry.currency) return false;
  const ours = entry.gateway_reference ?? refund?.reference ?? charge.reference;
  const isNamed = ours === subject || ours === about.reference;
  const isOfThis = [charge.reference, refund?.reference].includes(about.reference);
  if (!isNamed || !isOfThis) return false;
  if (kind === 'charge') return isTaken(one) && amountMinor === takenAs(one, all);
  return entry.movement === movementKinds[kind].here && entry.amount_minor === amountMinor;
}

function isTaken({ entry: { movement } }: Moved): boolean {
  return movement === 'charge' || movement === 'capture' || movement === 'correction';
}

/** A charge counts as what it was taken for, as corrected since. */
function takenAs({ charge, entry }: Moved, all: readonly Moved[]): number {
  if (entry.amount_minor === charge.amount_minor) return entry.amount_minor;
  const taken = all.filter((one) => one.charge === charge && isTaken(one));
  return taken.reduce((sum, one) => sum + one.entry.amount_minor, 0);
}
