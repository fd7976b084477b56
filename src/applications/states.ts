import type { ApplicationRow } from '../db/applicationTables.ts';

/** Where an application stands (interface: section 3; `Offered` per decisions: section 10). */
export type ApplicationStatus = ApplicationRow['currentStatus'];

/** Where an application may go from each state. Whatever it is, the guest may cancel it. */
const moves: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  Tentative: ['Offered', 'Held', 'Cancelled'],
  Offered: ['Held', 'Cancelled'],
  Held: ['Reserved', 'Cancelled'],
  Reserved: ['In Room', 'Cancelled'],
  'In Room': ['History', 'Cancelled'],
  History: ['Cancelled'],
  Cancelled: ['Cancelled'],
};

/** Every state that an application can be in. */
export const applicationStatuses = Object.keys(moves) as [
  ApplicationStatus,
  ...ApplicationStatus[],
];

/** The column that keeps when an application came into a state. */
export const timeOf = {
  Tentative: 'applicationAtMs',
  Offered: 'offeredAtMs',
  Held: 'heldAtMs',
  Reserved: 'reservedAtMs',
  'In Room': 'inRoomAtMs',
  History: 'historyAtMs',
  Cancelled: 'cancelledAtMs',
} as const satisfies Record<ApplicationStatus, keyof ApplicationRow>;

/** Whether an application may go from one state to another. */
export function mayMove(from: ApplicationStatus, to: ApplicationStatus): boolean {
  return moves[from].includes(to);
}

/** The states from which an application changes by going to `to`. */
export function statesBefore(to: ApplicationStatus): ApplicationStatus[] {
  return applicationStatuses.filter((from) => from !== to && mayMove(from, to));
}

/** A column that keeps a time. */
type TimeColumn = (typeof timeOf)[ApplicationStatus];

/** A new state, and when it was reached. */
export type StatusChange = Pick<ApplicationRow, 'currentStatus'> & {
  readonly [Column in TimeColumn]?: number;
};

/** What a wish to move an application comes to. */
export type Move =
  /** It goes there now. */
  | { readonly kind: 'moves'; readonly change: StatusChange }
  /** It is there already, by this very move: nothing changes. */
  | { readonly kind: 'stays' }
  | { readonly kind: 'refused' };

/**
 * Moves an application. `saidAtMs` is when it happened, where the caller says so. A move that is told again with its
 * time has been made; cancelling twice comes to the same.
 */
export function move(
  row: ApplicationRow,
  to: ApplicationStatus,
  saidAtMs: number | null,
  nowMs: number,
): Move {
  const { currentStatus: from } = row;
  if (from === to) {
    const again = mayMove(from, to) || (saidAtMs !== null && row[timeOf[to]] === saidAtMs);
    return { kind: again ? 'stays' : 'refused' };
  }
  if (!mayMove(from, to)) return { kind: 'refused' };
  return { kind: 'moves', change: { currentStatus: to, [timeOf[to]]: saidAtMs ?? nowMs } };
}
