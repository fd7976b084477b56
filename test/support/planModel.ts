/**
 * A payment plan, worked out a second time and from nothing but the rules of the interface: days and zones by other means
 * than the service, money by plain loops.
 */
import type { PlanDue, PlanRepeat, PlanShare, PlanSpec } from '../../src/schema/planSpec.ts';

const DAY = 86_400_000;
const QUARTER = 900_000;

export interface Stay {
  arrival: string;
  departure: string;
  total: number;
  firstNight: number;
}

export interface ModelPart {
  id: string;
  amount: number;
  covered: number;
  brought: number;
  terms: number;
  due: number;
  void: boolean;
  ended: boolean;
  charge: 'none' | 'waits' | 'sent' | 'taken' | 'failed';
}

export function stateOf(part: ModelPart): string {
  if (part.charge === 'sent') return 'processing';
  if (part.charge === 'taken') return 'paid';
  if (part.void) return 'void';
  if (part.covered >= part.amount) return 'paid';
  return part.charge === 'failed' ? 'failed' : 'planned';
}

/** What clocks in a zone show, as if it were UTC. */
const formats = new Map<string, Intl.DateTimeFormat>();
function shownAt(atMs: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    const numbers = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const times = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...numbers,
      ...times,
    });
    formats.set(zone, format);
  }
  const of = Object.fromEntries(
    format.formatToParts(atMs).map((it) => [it.type, Number(it.value)]),
  );
  return Date.UTC(
    of['year'] ?? 0,
    (of['month'] ?? 1) - 1,
    of['day'],
    of['hour'],
    of['minute'],
    of['second'],
  );
}

/** The first instant at which clocks show a time or a later one, found by looking at each quarter of an hour. */
const instants = new Map<string, number>();
function instantOf(day: string, time: string, zone: string): number {
  const name = `${day} ${time} ${zone}`;
  const known = instants.get(name);
  if (known !== undefined) return known;
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const found = new Set<number>();
  for (let at = wanted - 15 * 3_600_000; at <= wanted + 15 * 3_600_000; at += QUARTER) {
    const exact = wanted - (shownAt(at, zone) - at);
    if (shownAt(exact, zone) === wanted) found.add(exact);
    if (shownAt(at, zone) > wanted && shownAt(at - QUARTER, zone) < wanted) found.add(at);
  }
  const exact = [...found].filter((at) => shownAt(at, zone) === wanted);
  const first = Math.min(...(exact.length > 0 ? exact : found));
  instants.set(name, first);
  return first;
}

function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

function months(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
}

function timeOf(due: PlanDue, stay: Stay, zone: string, putAt: number): number {
  if (due.anchor === 'now' && due.days === null && due.time === null) return putAt;
  const today = new Date(shownAt(putAt, zone)).toISOString().slice(0, 10);
  const anchor = due.anchor === 'now' ? today : due.anchor === 'date' ? due.date : stay[due.anchor];
  return instantOf(plus(anchor ?? '', due.days ?? 0), due.time ?? '09:00', zone);
}

/** Half up, by long division. */
function share(amount: number, of: number, whole: number): number {
  const exact = amount * of;
  const down = Math.floor(exact / whole);
  return (exact - down * whole) * 2 >= whole ? down + 1 : down;
}

interface Given {
  id: string;
  amount: number | 'rest';
  at: number;
}

function termAmount(of: PlanShare, stay: Stay): number | 'rest' {
  if (of.kind === 'amount') return of.amountMinor;
  if (of.kind === 'percent') return share(stay.total, of.hundredths, 10_000);
  return of.kind === 'firstNight' ? stay.firstNight : 'rest';
}

function given(spec: PlanSpec, stay: Stay, zone: string, putAt: number): Given[] {
  const list: Given[] = spec.terms.map(({ due, share: of }, index) => {
    const at = timeOf(due, stay, zone, putAt);
    return { id: `t${index + 1}`, amount: termAmount(of, stay), at };
  });
  if (!spec.repeat) return list;
  return [...list, ...periods(spec.repeat, stay, zone)];
}

function periods(repeat: PlanRepeat, stay: Stay, zone: string): Given[] {
  const list: Given[] = [];
  const from = repeat.from ?? stay.arrival;
  const until = repeat.until ?? stay.departure;
  const begins = (n: number) =>
    repeat.every === 'month' ? months(from, n) : plus(from, n * (repeat.every === 'week' ? 7 : 14));
  for (let n = 0; begins(n) < until; n += 1) {
    const [begin, end] = [begins(n), begins(n + 1)];
    const days = (Date.parse(until) - Date.parse(begin)) / DAY;
    const whole = (Date.parse(end) - Date.parse(begin)) / DAY;
    const isCut = days < whole && repeat.lastPeriod === 'prorate';
    const amount = isCut ? share(repeat.amountMinor, days, whole) : repeat.amountMinor;
    const at = instantOf(plus(begin, repeat.days), repeat.time ?? '09:00', zone);
    list.push({ id: `r${n + 1}`, amount, at });
  }
  return list;
}

export interface ModelPlan {
  spec: PlanSpec;
  zone: string;
  putAt: number;
  parts: ModelPart[];
}

const isFixed = (part: ModelPart) =>
  part.ended || part.charge === 'sent' || part.charge === 'taken';

/** The rule by which a plan follows. `others` is what charges took that are not its own. */
export function follow(
  plan: ModelPlan,
  stay: Stay,
  others: number,
  now: number,
  isPut = false,
): void {
  const rows = given(plan.spec, stay, plan.zone, plan.putAt);
  const paid = plan.parts.filter((part) => stateOf(part) === 'paid');
  const gone = plan.parts.filter((part) => !rows.some(({ id }) => id === part.id));
  for (const part of gone) part.void ||= !isFixed(part);
  for (const row of rows) take(plan, row, now, isPut ? now : now + DAY);
  for (const { amount, id } of rows) {
    const part = plan.parts.find((one) => one.id === id);
    if (amount === 'rest' && part && !isFixed(part)) part.amount = restOf(plan, part, stay);
  }
  const order = rows.map(({ id }) => id);
  cover(plan, others, order);
  for (const part of paid) {
    const isOpen = !isFixed(part) && stateOf(part) === 'planned';
    if (isOpen && part.due <= now) part.due = now + DAY;
  }
  cover(plan, others, order);
}

/** What the terms say of a part. */
function take(plan: ModelPlan, { amount, at, id }: Given, now: number, late: number): void {
  const part = plan.parts.find((one) => one.id === id);
  const terms = { amount: amount === 'rest' ? 0 : amount, terms: at };
  const fresh = { ...terms, void: false, due: at <= now ? late : at };
  if (!part) {
    plan.parts.push({ id, ...fresh, covered: 0, brought: 0, ended: false, charge: 'none' });
  } else if (isFixed(part)) return;
  else if (part.void) Object.assign(part, fresh);
  else Object.assign(part, terms, { due: movedTo(part, at, now) });
}

function movedTo(part: ModelPart, at: number, now: number): number {
  if (at === part.terms) return part.due;
  if (part.due !== part.terms) return Math.max(part.due, at);
  return at <= now ? now + DAY : at;
}

function restOf(plan: ModelPlan, rest: ModelPart, stay: Stay): number {
  let left = stay.total;
  for (const other of plan.parts) if (other !== rest && !other.void) left -= other.amount;
  return Math.max(0, left);
}

function cover(plan: ModelPlan, others: number, order: readonly string[]): void {
  const place = ({ id }: ModelPart) => (order.includes(id) ? order.indexOf(id) : 999);
  plan.parts.sort((a, b) => a.due - b.due || place(a) - place(b));
  let left = others;
  for (const part of plan.parts) if (isFixed(part)) left -= part.covered;
  left = Math.max(0, left);
  for (const part of plan.parts) {
    if (isFixed(part)) continue;
    part.covered = part.void ? 0 : Math.min(part.amount, left);
    left -= part.covered;
  }
}
