import type { MoneyState } from '../../desk/moneyState.ts';
import { words } from '../../desk/words.ts';

/** The colour and the shape of each state; its word is in the staff's words. */
const LOOKS: Readonly<Record<MoneyState, readonly ['good' | 'bad' | 'open' | 'plain', string]>> = {
  paid: ['good', '✓'],
  partlyPaid: ['open', '◐'],
  due: ['open', '○'],
  overpaid: ['bad', '▲'],
  partlyRefunded: ['good', '◑'],
  refunded: ['plain', '↩'],
  disputed: ['bad', '⚑'],
  lost: ['bad', '■'],
  scheduled: ['open', '◷'],
  failed: ['bad', '✕'],
  declined: ['bad', '✕'],
  onHold: ['open', '‖'],
  unknown: ['bad', '?'],
  waiting: ['open', '…'],
  cancelled: ['plain', '–'],
  released: ['plain', '–'],
  expired: ['plain', '–'],
};

/** How money stands: a colour, a shape and a word. `text` says more than the state's word: a reason or a deadline. */
export function StateBadge({
  state,
  text = words.moneyStates[state],
}: Readonly<{ state: MoneyState; text?: string }>) {
  const [tone, shape] = LOOKS[state];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shape}</span> <span>{text}</span>
    </span>
  );
}
