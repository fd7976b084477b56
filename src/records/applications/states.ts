import type { ApplicationRow } from '../../schema/applicationTables.ts';

/** The state of an application (interface: Move an application). */
export type ApplicationStatus = ApplicationRow['currentStatus'];

/** The allowed moves from each state. The guest can cancel from every state. */
const moves: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  Tentative: ['Offered', 'Held', 'Cancelled'],
  Offered: ['Held', 'Cancelled'],
  Held: ['Reserved', 'Cancelled'],
  Reserved: ['In Room', 'Cancelled'],
  'In Room': ['History', 'Cancelled'],
  History: ['Cancelled'],
  Cancelled: ['Cancelled'],
};

export const applicationStatuses = Object.keys(moves) as [
  ApplicationStatus,
  ...ApplicationStatus[],
];

/** The column with the time when an application reached a state. */
export const timeOf = {
  Tentative: 'applicationAtMs',
  Offered: 'offeredAtMs',
  Held: 'heldAtMs',
  Reserved: 'reservedAtMs',
  'In Room': 'inRoomAtMs',
  History: 'historyAtMs',
  Cancelled: 'cancelledAtMs',
} as const satisfies Record<ApplicationStatus, keyof ApplicationRow>;

type TimeColumn = (typeof timeOf)[ApplicationStatus];

/** What the column of a time, and its member in requests and answers, begin with: `inRoom`. */
export type TimeName = TimeColumn extends `${infer Name}AtMs` ? Name : never;

/** A value for each of the times of an application, under its name and `suffix`. */
export function eachTime<Suffix extends string, Value>(
  suffix: Suffix,
  value: (name: TimeName) => Value,
): Record<`${TimeName}${Suffix}`, Value> {
  const names = Object.values(timeOf).map((column) => column.replace('AtMs', '') as TimeName);
  const values = names.map((name) => [`${name}${suffix}`, value(name)]);
  return Object.fromEntries(values) as Record<`${TimeName}${Suffix}`, Value>;
}

export const NO_TIMES = eachTime('AtMs', () => null);

/** Whether an application may go from one state to another. */
export function mayMove(from: ApplicationStatus, to: ApplicationStatus): boolean {
  return moves[from].includes(to);
}

/** The states from which an application changes by going to `to`. */
export function statesBefore(to: ApplicationStatus): ApplicationStatus[] {
  return applicationStatuses.filter((from) => from !== to && mayMove(from, to));
}

export type StatusChange = Pick<ApplicationRow, 'currentStatus'> & {
  readonly [Column in TimeColumn]?: number;
};

/** The decision about a requested move. */
export type Move =
  | { readonly kind: 'moves'; readonly change: StatusChange }
  /** The same move was made before: nothing changes. */
  | { readonly kind: 'stays' }
  | { readonly kind: 'refused' };

/**
 * Decides about a move. `givenAtMs` is the time of the move, if the caller sends one. A repeated move with the same
 * time changes nothing, and so does a second cancellation.
 */
export function move(
  row: ApplicationRow,
  to: ApplicationStatus,
  givenAtMs: number | null,
  nowMs: number,
): Move {
  const { currentStatus: from } = row;
  if (from === to) {
    const again = mayMove(from, to) || (givenAtMs !== null && row[timeOf[to]] === givenAtMs);
    return { kind: again ? 'stays' : 'refused' };
  }
  if (!mayMove(from, to)) return { kind: 'refused' };
  return { kind: 'moves', change: { currentStatus: to, [timeOf[to]]: givenAtMs ?? nowMs } };
}
