import type { Operation } from './operation.ts';
import { perform, serveOne } from './perform.ts';
import { type Answer, type BookingModel, refusal } from './state.ts';

/** One way in which two operations at once may have gone: the state after both, and what each was told. */
export interface Ordered {
  readonly model: BookingModel;
  readonly answers: readonly [Answer, Answer];
}

/**
 * Every order in which two operations at once can take effect. An operation has its turn as a whole; a wake takes
 * one turn for each thing that is due, so that the other may come in anywhere between.
 */
export function orders(before: BookingModel, first: Operation, second: Operation): Ordered[] {
  if (first.do === 'wake') return amidWake(before, second).map(swapped);
  if (second.do === 'wake') return amidWake(before, first);
  return [inOrder(before, first, second), swapped(inOrder(before, second, first))];
}

function inOrder(before: BookingModel, first: Operation, second: Operation): Ordered {
  const one = perform(before, first);
  const two = perform(one.model, second);
  return { model: two.model, answers: [one.answer, two.answer] };
}

/** An operation before, between and after the turns of a wake; the last of these finds that nothing more is due. */
function amidWake(before: BookingModel, operation: Operation): Ordered[] {
  const found: Ordered[] = [];
  const woken = refusal('ok');
  let last = before;
  for (let at: BookingModel | null = before; at !== null; at = serveOne(at)) {
    const { model, answer } = perform(at, operation);
    found.push({ model: perform(model, { do: 'wake' }).model, answers: [answer, woken] });
    last = at;
  }
  const after = perform(last, operation);
  return [...found, { model: after.model, answers: [after.answer, woken] }];
}

function swapped({ model, answers: [one, two] }: Ordered): Ordered {
  return { model, answers: [two, one] };
}
