import type { KnownBooking } from './hotel.ts';
import { type Html, html } from './html.ts';
import { isMembers, type Members, textIn } from './members.ts';
import type { Received } from './received.ts';
import type { PmsState } from './state.ts';

/** The most messages to show. */
const SHOWN = 50;

/** The page with the PMS's records. It reloads every few seconds. */
export function page(state: PmsState): string {
  const { hotel, messages, behaviour } = state;
  const { duplicates, unknownReferences, unreadable, trapped } = state.counts();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>Reference PMS</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Reference PMS of ${hotel.name}</h1>
<p>Behaviour: <code>${behaviour.current}</code></p>
<p>${messages.length} messages, ${duplicates} of them duplicates; ${unknownReferences} about unknown
bookings; ${unreadable} requests unreadable; ${trapped} redirects followed.</p>
<h2>Last bookings</h2>
${table(
  ['Reference', 'Confirmation', 'State', 'Arrival', 'Departure', 'Guest', 'E-mail'],
  [...hotel.bookings.values()].slice(-SHOWN).toReversed().map(bookingCells),
)}
<h2>Last transactions</h2>
${table(
  ['ID', 'Booking', 'Type', 'Gross', 'Net', 'Currency', 'Card', 'Processed', 'Description'],
  hotel.transactions.slice(-SHOWN).toReversed().map(transactionCells),
)}
<h2>Last messages</h2>
${table(
  ['Received', 'Type', 'Booking', 'MessageID', 'Format', 'Answered', 'Remarks'],
  messages.slice(-SHOWN).toReversed().map(messageCells),
)}
</body>
</html>
`.text;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  if (rows.length === 0) return html`<p>None yet.</p>`;
  return html`<table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;
}

function bookingCells({ reference, confirmationNumber, state, data }: KnownBooking): string[] {
  const guest = isMembers(data?.['Guest']) ? data['Guest'] : null;
  return [
    reference,
    confirmationNumber,
    state,
    textIn(data, 'ArrivalDate'),
    textIn(data, 'DepartureDate'),
    `${textIn(guest, 'FirstName')} ${textIn(guest, 'LastName')}`.trim(),
    textIn(guest, 'Email'),
  ];
}

function transactionCells(transaction: Members): string[] {
  return [
    'TransactionID',
    'RelatedReference',
    'Type',
    'AmountGross',
    'AmountNet',
    'Currency',
    'CardMask',
    'ProcessedTime',
    'Description',
  ].map((name) => textIn(transaction, name));
}

function messageCells(message: Received): string[] {
  const { receivedAt, messageType, reference, messageId, format, answered } = message;
  const remarks = [message.duplicate ? 'duplicate' : '', message.refusal ?? ''].filter(Boolean);
  return [
    receivedAt,
    messageType,
    reference ?? '',
    messageId,
    format,
    answered,
    remarks.join(': '),
  ];
}

const STYLE = `
:root { color-scheme: light dark; --line: #d0d0d7; --soft: #f4f4f7; }
@media (prefers-color-scheme: dark) { :root { --line: #44444f; --soft: #26262d; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
code { background: var(--soft); padding: .1rem .3rem; border-radius: .2rem; }
`;
