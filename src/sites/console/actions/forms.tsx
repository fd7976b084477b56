import { typableAmount } from '../../../core/typedAmount.ts';
import { mayTry } from '../../../desk/actions.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { BookingFile } from '../booking/read.ts';
import { CONSOLE_PATH } from '../paths.ts';
import { cardCopy } from '../words.ts';
import { Named, Step } from './steps.tsx';

/** What the forms of a booking's page know. */
interface FormsOf {
  readonly person: Person;
  readonly file: BookingFile;
}

/** The forms for a new payment and for the guest's links; each leads to a page that asks for confirmation. */
export function NewActions({ person, file }: FormsOf) {
  const { booking } = file.state;
  if (!mayTry(person, 'charge')) {
    return <p class="soft">Your role ({person.role}) sees this booking and changes nothing.</p>;
  }
  if (booking.status === 'cancelled') return null;
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      {(['charge', 'schedule', 'hold'] as const)
        .filter((action) => mayTry(person, action))
        .map((action) => (
          <details>
            <summary>{paymentNames[action]}</summary>
            <PaymentForm file={file} action={action} />
          </details>
        ))}
      <div class="row">
        <Step file={file} action="makeLink" label="Make a payment link" />
        <Step file={file} action="requestCard" label="Ask the guest for a card" />
        {mayTry(person, 'cancelSchedules') &&
          file.transactions.some(({ status }) => status === 'Pending') && (
            <Step file={file} action="cancelSchedules" label="Cancel all scheduled charges" />
          )}
      </div>
    </section>
  );
}

const paymentNames = {
  charge: 'Charge a card now',
  schedule: 'Schedule a charge',
  hold: 'Hold an amount',
} as const;

/** The form of a new payment. It proposes what is due and will not be charged by schedule. */
function PaymentForm({
  file,
  action,
}: {
  readonly file: BookingFile;
  readonly action: 'charge' | 'schedule' | 'hold';
}) {
  const { balance, state } = file;
  const { booking, cards, property } = state;
  const used = cardInUse(state);
  const { proposedMinor } = balance;
  const id = (field: string) => `${action}-${field}`;
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="action">
      <Named file={file} action={action} />
      <div class="field">
        <label for={id('amount')}>Amount without fees, in {booking.currency}</label>
        <input
          id={id('amount')}
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          value={proposedMinor > 0 ? typableAmount(proposedMinor, booking.currency) : ''}
          required
        />
      </div>
      {action !== 'charge' && (
        <div class="field">
          <label for={id('time')}>
            {action === 'hold' ? 'Hold until' : 'Charge at'} ({property.timeZone})
          </label>
          <input id={id('time')} name="time" type="datetime-local" required />
        </div>
      )}
      <div class="field">
        <label for={id('purpose')}>For</label>
        <select id={id('purpose')} name="purpose">
          <option value="Balance">Balance of the booking</option>
          <option value="Deposit">Deposit</option>
          <option value="Bond">Bond</option>
          <option value="Manual">Something else</option>
        </select>
      </div>
      <div class="field">
        <label for={id('card')}>Card</label>
        <select id={id('card')} name="card">
          <option value="">
            {used
              ? `The booking’s card: ${shownCard(used, property)}`
              : 'The booking’s card: none yet'}
          </option>
          {cards
            .filter(({ token }) => token !== used?.token)
            .map((card) => (
              <option value={card.token} disabled={isOfFormerAccount(property, card)}>
                {shownCard(card, property)}
              </option>
            ))}
        </select>
      </div>
      <div class="field">
        <label for={id('initiator')}>Who asks for it</label>
        <select id={id('initiator')} name="initiator">
          <option value="property">The property; the guest is absent</option>
          <option value="phone">The guest, by phone or mail</option>
        </select>
      </div>
      <div class="field">
        <label for={id('description')}>Description (optional)</label>
        <input id={id('description')} name="description" maxlength={500} autocomplete="off" />
      </div>
      <button type="submit">Continue</button>
    </form>
  );
}

/** A card, and whether it can be charged no more because the property has another account at the acquirer now. */
function shownCard(card: CardRow, property: PropertyRow): string {
  const isFormer = isOfFormerAccount(property, card);
  return isFormer ? `${cardCopy(card)}, of a former account` : cardCopy(card);
}
