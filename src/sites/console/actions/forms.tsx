import { typableAmount } from '../../../core/typedAmount.ts';
import { mayTry } from '../../../desk/actions.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Field, InputField } from '../../web/forms.tsx';
import { Section } from '../../web/page.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';
import { Choice, Named, Step } from './followUps.tsx';

const { actions: copy } = words;

/** The forms for a new payment and for the guest's links; each leads to a page that asks for confirmation. */
export function NewActions() {
  const { person } = useViewed();
  const { state, transactions } = useFile();
  if (!mayTry(person, 'charge')) {
    return <p class="soft">{copy.viewerOnly({ role: person.role })}</p>;
  }
  if (state.booking.status === 'cancelled') return null;
  return (
    <Section id="actions" heading={copy.heading}>
      {(['charge', 'schedule', 'hold'] as const)
        .filter((action) => mayTry(person, action))
        .map((action) => (
          <details>
            <summary>{copy.summaries[action]}</summary>
            <PaymentForm action={action} />
          </details>
        ))}
      <div class="row">
        <Step action="makeLink" label={copy.titles.makeLink} />
        <Step action="requestCard" label={copy.titles.requestCard} />
        {mayTry(person, 'cancelSchedules') &&
          transactions.some(({ status }) => status === 'Pending') && (
            <Step action="cancelSchedules" label={copy.titles.cancelSchedules} />
          )}
      </div>
    </Section>
  );
}

/** The form of a new payment. It proposes what is due and will not be charged by schedule. */
function PaymentForm({ action }: { readonly action: 'charge' | 'schedule' | 'hold' }) {
  const { balance, state } = useFile();
  const { booking, cards, property } = state;
  const used = cardInUse(state);
  const { proposedMinor } = balance;
  const id = (field: string) => `${action}-${field}`;
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="action">
      <Named action={action} />
      <InputField
        id={id('amount')}
        name="amount"
        label={copy.amount({ currency: booking.currency })}
        inputmode="decimal"
        autocomplete="off"
        value={proposedMinor > 0 ? typableAmount(proposedMinor, booking.currency) : ''}
        required
      />
      {action !== 'charge' && (
        <InputField
          id={id('time')}
          name="time"
          label={(action === 'hold' ? copy.holdUntil : copy.chargeAt)(property)}
          type="datetime-local"
          required
        />
      )}
      <Choice id={id('purpose')} name="purpose" label={copy.for} choices={copy.purposes} />
      <Field id={id('card')} label={copy.card}>
        <select id={id('card')} name="card">
          <option value="">
            {copy.bookingsCard({ card: used ? shownCard(used, property) : copy.noCard })}
          </option>
          {cards
            .filter(({ token }) => token !== used?.token)
            .map((card) => (
              <option value={card.token} disabled={isOfFormerAccount(property, card)}>
                {shownCard(card, property)}
              </option>
            ))}
        </select>
      </Field>
      <Choice
        id={id('initiator')}
        name="initiator"
        label={copy.initiator}
        choices={copy.initiators}
      />
      <Field id={id('description')} label={copy.description}>
        <input id={id('description')} name="description" maxlength={500} autocomplete="off" />
      </Field>
      <button type="submit">{copy.continue}</button>
    </form>
  );
}

/** A card, and whether it can be charged no more because the property has another account at the acquirer now. */
function shownCard(card: CardRow, property: PropertyRow): string {
  const isFormer = isOfFormerAccount(property, card);
  return isFormer ? copy.formerCard({ card: cardCopy(card) }) : cardCopy(card);
}
