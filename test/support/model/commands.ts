import * as fc from 'fast-check';
import type { Plan } from './planning.ts';
import { kinds } from './plans.ts';
import type { Session, Step } from './steps.ts';
import type { Story } from './story.ts';

/** How often each kind of command has really run. */
export type Counts = Record<string, number>;

/** A command as fast-check runs it; printed, it tells what it did. */
class Command implements fc.AsyncCommand<Session, Story> {
  readonly #kind: string;
  readonly #plan: Plan;
  readonly #counts: Counts;
  #did: readonly Step[] | null = null;

  constructor(kind: string, plan: Plan, counts: Counts) {
    this.#kind = kind;
    this.#plan = plan;
    this.#counts = counts;
  }

  check(session: Readonly<Session>): boolean {
    return this.#plan(session) !== null;
  }

  async run(session: Session, story: Story): Promise<void> {
    const steps = this.#plan(session) ?? [];
    this.#did = steps;
    this.#counts[this.#kind] = (this.#counts[this.#kind] ?? 0) + 1;
    await story.tell(session, steps);
  }

  toString(): string {
    return this.#did === null ? this.#kind : `\n${this.#kind}: ${JSON.stringify(this.#did)}`;
  }
}

/** Sequences of commands of every kind, each as often as its weight says. */
export function stories(most: number, counts: Counts) {
  const drawn = Object.entries(kinds).map(([kind, { weight, plan }]) => ({
    weight,
    arbitrary: plan.map((it) => new Command(kind, it, counts)),
  }));
  return fc.commands<Session, Story, false>([fc.oneof(...drawn)], {
    maxCommands: most,
    size: 'max',
  });
}
