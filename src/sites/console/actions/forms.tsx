import type { JSX } from 'hono/jsx';
import { typableAmount } from '../../../core/typedAmount.ts';
import { mayTry } from '../../../desk/actions.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { remainingOf } from '../../../records/cards/rules/virtual.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Field, Hidden, InputField, SelectField } from '../../web/forms.tsx';
import { Section } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import type { Filled as FilledForm } from '../filled.ts';
import { CONSOLE_PATH } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';
import { Step, useNamed } from './followUps.tsx';

const { actions: copy } = words;

export const formActions = [
  'charge',
  'schedule',
  'hold',
  'refund',
  'capture',
  'putPlan',
  'cancelBooking',
  'resolve',
] as const;

type FormAction = (typeof formActions)[number];

/** The most digits of an id of ours: a card's number has more. */
const LONGEST_ID = 15;

/** A form of an action, as it is filled in. */
type Filled = FilledForm & { readonly action: FormAction };

/** The forms for a new payment and for the guest's links; each leads to a page that asks for confirmation. */
export function NewActions() {
  const { person } = useViewed();
  const { balance, plan, state, transactions } = useFile();
  if (!mayTry(person, 'charge')) {
    return <p class="soft">{copy.viewerOnly}</p>;
  }
  // What a cancellation keeps, and could not take, is charged on another card; nothing else is done.
  const isCancelled = state.booking.status === 'cancelled';
  const lacks = balance.proposedMinor > 0 && state.cards.length > 0;
  if (isCancelled && !lacks) return null;
  const isOffered = (action: Parameters<typeof mayTry>[1]) =>
    mayTry(person, action) && (!isCancelled || action === 'charge');
  const offered: readonly FormAction[] = [
    ...(state.cards.length > 0 ? (['charge', 'schedule', 'hold'] as const) : []),
    ...(state.property.planTemplates.length > 0 ? (['putPlan'] as const) : []),
    'cancelBooking',
  ];
  const steps = [
    'mailLink',
    'makeLink',
    'requestCard',
    ...(transactions.some(({ status }) => status === 'Pending')
      ? (['cancelSchedules'] as const)
      : []),
    ...(plan?.status === 'active' ? (['cancelPlan'] as const) : []),
  ] as const;
  return (
    <Section id="actions" heading={copy.heading}>
      {state.cards.length === 0 && <p>{copy.noCardYet}</p>}
      <div class="row">
        {offered.filter(isOffered).map((action) => (
          <details>
            <summary class="quiet">{copy.summaries[action as keyof typeof copy.summaries]}</summary>
            <ActionForm action={action} typed={{}} issues={{}} />
          </details>
        ))}
      </div>
      <div class="row">
        {steps.filter(isOffered).map((action) => (
          <Step action={action} />
        ))}
      </div>
    </Section>
  );
}

/** The form of an action, as it was typed so far; it leads to the page that asks for confirmation. */
export function ActionForm(filled: Filled) {
  const { action, typed } = filled;
  const { chargeId } = typed;
  const about = chargeId !== undefined && { chargeId: repeatable(chargeId, LONGEST_ID) };
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="action">
      <Hidden fields={{ ...useNamed(), do: action, ...about }} />
      <Fields {...filled} />
      <button type="submit">{copy.continue}</button>
    </form>
  );
}

function Fields(filled: Filled) {
  switch (filled.action) {
    case 'refund':
      return <RefundFields {...filled} />;
    case 'capture':
      return <AmountField {...filled} label={copy.amountToCapture(useViewed().property)} />;
    case 'putPlan':
      return <Choice {...filled} name="template" label={copy.template} choices={useTemplates()} />;
    case 'cancelBooking':
      return <CancelFields {...filled} />;
    case 'resolve':
      return <ResolveFields {...filled} />;
    default:
      return <PaymentFields {...filled} />;
  }
}

/** The names of the property's templates of plans, by their keys. */
function useTemplates(): Readonly<Record<string, string>> {
  const { planTemplates } = useViewed().property;
  return Object.fromEntries(planTemplates.map(({ key, name }) => [key, name]));
}

/** A new payment. It proposes what is due and will not be charged by schedule. */
function PaymentFields(filled: Filled) {
  const { action, typed } = filled;
  const { balance, state } = useFile();
  const { booking, cards, property } = state;
  const used = cardInUse(state);
  // What a virtual card's agency allows is the most that it pays.
  const left = used && remainingOf(used);
  const proposedMinor = Math.min(balance.proposedMinor, left ?? balance.proposedMinor);
  const proposed = proposedMinor > 0 ? typableAmount(proposedMinor, booking.currency) : '';
  return (
    <>
      <AmountField {...filled} label={copy.amount(booking)} proposed={proposed} required />
      {action !== 'charge' && (
        <TypedField
          {...filled}
          name="time"
          label={(action === 'hold' ? copy.holdUntil : copy.chargeAt)(property)}
          type="datetime-local"
          required
        />
      )}
      <Choice {...filled} name="purpose" label={copy.for} choices={copy.purposes} />
      <Field id={`${action}-card`} label={copy.card}>
        <select id={`${action}-card`} name="card">
          <option value="">
            {copy.bookingsCard({ card: used ? shownCard(used, property) : copy.noCard })}
          </option>
          {cards
            .filter(({ token }) => token !== used?.token)
            .map((card) => (
              <option
                value={card.token}
                disabled={isOfFormerAccount(property, card)}
                selected={card.token === typed['card']}
              >
                {shownCard(card, property)}
              </option>
            ))}
        </select>
      </Field>
      <Choice {...filled} name="initiator" label={copy.initiator} choices={copy.initiators} />
      <TypedField {...filled} name="description" label={copy.description} maxlength={500} />
    </>
  );
}

/** A refund. It proposes all that is left, and that the stay costs less where nothing is due. */
function RefundFields(filled: Filled) {
  const { balance, transactions } = useFile();
  const charge = transactions.find(({ id }) => String(id) === filled.typed['chargeId']);
  if (!charge) return null;
  const { amountMinor, currency, purpose, refundReservedMinor } = charge;
  const left = typableAmount(amountMinor - refundReservedMinor, currency);
  const chosen = filled.typed['waive'] ?? (balance.dueMinor === 0 ? '1' : '0');
  return (
    <>
      <AmountField {...filled} label={copy.amountToRefund(charge)} proposed={left} required />
      {purpose !== 'Bond' && (
        <fieldset class="field">
          <legend>{copy.costsLess}</legend>
          {(['1', '0'] as const).map((value) => (
            <label class="choice">
              <input type="radio" name="waive" value={value} checked={value === chosen} />{' '}
              {value === '1' ? copy.itDoes : copy.itDoesNot}
            </label>
          ))}
        </fieldset>
      )}
      <TypedField {...filled} name="description" label={copy.refundReason} maxlength={500} />
    </>
  );
}

/** Why a booking is cancelled, and what is kept if not what its policy says. */
function CancelFields(filled: Filled) {
  const { amount, reason, reasons, why } = copy.cancel;
  const { cancellationPolicy, currency } = useFile().state.booking;
  return (
    <>
      {cancellationPolicy?.text && <p class="lines">{cancellationPolicy.text}</p>}
      <Choice {...filled} name="reason" label={reason} choices={reasons} />
      <AmountField {...filled} label={amount({ currency })} />
      <TypedField {...filled} name="why" label={why} maxlength={500} />
    </>
  );
}

/** How a payment or refund without an answer ended. */
function ResolveFields(filled: Filled) {
  const { outcome, outcomes, reason, reference } = copy.resolve;
  return (
    <>
      <Choice {...filled} name="outcome" label={outcome} choices={outcomes} />
      <TypedField {...filled} name="gatewayReference" label={reference} />
      <TypedField {...filled} name="reason" label={reason} maxlength={500} required />
    </>
  );
}

type TypedProps = Filled &
  Omit<JSX.IntrinsicElements['input'], 'name'> & {
    readonly label: string;
    /** What the field has before anything is typed. */
    readonly proposed?: string;
  };

function AmountField(field: TypedProps) {
  return <TypedField {...field} name="amount" inputmode="decimal" />;
}

/** A field of one line with what was typed, or else what the form proposes. The first that is wrong has the focus. */
function TypedField(field: TypedProps & { readonly name: string }) {
  const { action, typed, issues, name, proposed = '', ...input } = field;
  return (
    <InputField
      {...input}
      id={`${action}-${name}`}
      name={name}
      error={issues[name]}
      autocomplete="off"
      autofocus={Object.keys(issues)[0] === name}
      value={repeatable(typed[name] ?? proposed)}
    />
  );
}

/** A field of one of several choices, each by its word. */
function Choice(
  choice: Filled &
    Readonly<{ name: string; label: string; choices: Readonly<Record<string, string>> }>,
) {
  const { action, typed, issues, choices, ...field } = choice;
  const { name } = field;
  const id = `${action}-${name}`;
  const options = Object.entries(choices);
  return (
    <SelectField {...field} id={id} error={issues[name]} options={options} chosen={typed[name]} />
  );
}

/** A card, and whether it can be charged no more because the property has another account at the acquirer now. */
function shownCard(card: CardRow, property: PropertyRow): string {
  const isFormer = isOfFormerAccount(property, card);
  return isFormer ? copy.formerCard({ card: cardCopy(card) }) : cardCopy(card);
}
