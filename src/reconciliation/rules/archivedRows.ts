import type { GatewayMovement } from '../../gateways/movements.ts';
import type { GatewayName } from '../../platform/config.ts';
import type { HistoryRow } from '../../schema/historyTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import { isTaken, type MovementRow, movementKinds, takenOf } from './differences.ts';

/** What is compared of an archived booking's file. */
export interface ArchivedMoney {
  readonly entries: readonly Pick<
    HistoryRow,
    | 'chargeId'
    | 'subjectKind'
    | 'subjectId'
    | 'movement'
    | 'gateway'
    | 'gatewayReference'
    | 'currency'
    | 'amountMinor'
  >[];
  readonly charges: readonly Pick<TransactionRow, 'id' | 'reference' | 'amountMinor'>[];
  readonly refunds: readonly Pick<RefundRow, 'id' | 'reference'>[];
}

/** A movement of an archived booking, with what it is of. */
interface Moved
  extends Pick<MovementRow, 'kind' | 'currency' | 'amountMinor' | 'gatewayReference'> {
  readonly charge: ArchivedMoney['charges'][number];
  readonly refund: ArchivedMoney['refunds'][number] | undefined;
}

/**
 * The movements that an archived booking has, by the rule by which D1 finds them in the history (`markMovements`): its file says
 * it, so that the booking need not come back for what agrees.
 */
export function inArchive(
  gateway: GatewayName,
  movements: readonly GatewayMovement[],
  money: ArchivedMoney,
): GatewayMovement[] {
  const all = movedIn(gateway, money);
  return movements.filter((movement) => all.some((one) => isSame(movement, one, all)));
}

function movedIn(gateway: GatewayName, { charges, entries, refunds }: ArchivedMoney): Moved[] {
  return entries.flatMap((entry) => {
    const { amountMinor, currency, gatewayReference, movement: kind } = entry;
    const charge = charges.find(({ id }) => id === entry.chargeId);
    if (kind === null || kind === 'payout' || entry.gateway !== gateway || !charge) return [];
    if (amountMinor === null || currency === null) return [];
    const isOfRefund = entry.subjectKind === 'refund';
    const refund = isOfRefund
      ? refunds.find(({ id }) => id === Number(entry.subjectId))
      : undefined;
    return [{ kind, currency, amountMinor, gatewayReference, charge, refund }];
  });
}

function isSame(movement: GatewayMovement, one: Moved, all: readonly Moved[]): boolean {
  const { about, amountMinor, currency, kind, subject } = movement;
  const { charge, gatewayReference, refund } = one;
  if (about === null || currency !== one.currency) return false;
  const ours = gatewayReference ?? refund?.reference ?? charge.reference;
  const isNamed = ours === subject || ours === about.reference;
  const isOfThis = [charge.reference, refund?.reference].includes(about.reference);
  if (!isNamed || !isOfThis) return false;
  if (kind === 'charge') return isTaken(one) && amountMinor === takenAs(one, all);
  return one.kind === movementKinds[kind].here && one.amountMinor === amountMinor;
}

/** A charge counts as what it was taken for, as corrected since. */
function takenAs({ amountMinor, charge }: Moved, all: readonly Moved[]): number {
  return amountMinor === charge.amountMinor
    ? amountMinor
    : takenOf(all.filter((one) => one.charge === charge));
}
