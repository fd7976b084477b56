/** What clients call besides: tokens, cards, bookings and lists. */
import { engineToken, forgetTokens } from '../api.ts';
import { GOOD } from '../cards.ts';
import { linkTo } from '../guest.ts';
import { save, withCard, withCharge } from './bookings.ts';
import { done, type Operation, on, onPayment } from './operations.ts';

const TYPED = {
  cardNumber: GOOD,
  cardExpiry: '12/2030',
  cardHolderName: 'A Nguyen',
  cvv: '123',
} as const;

/** An operation that lists something of the property. */
const listing = (path: string): Operation => on(withCharge, () => done(path, { limit: 20 }));

const nothing = () => Promise.resolve();

const entries: Record<string, Operation> = {
  'access token': on(nothing, () => {
    forgetTokens();
    return engineToken();
  }),
  'card tokenized': on(nothing, () => done('/payment/v1/tokenize', TYPED)),
  'card tokenized to a booking': on(save, (reference) =>
    done('/payment/v1/tokenize', { ...TYPED, reference }),
  ),
  'booking made': on(nothing, (reference) => save(reference)),
  'booking changed': on(withCard, (reference) => save(reference, { totalCost: 700 })),
  'booking cancelled': on(withCard, (reference) => save(reference, { status: 'cancelled' })),
  'card request': on(save, (reference) => done('/payment/v1/request-card-details', { reference })),
};

const reads: Record<string, Operation> = {
  "booking's details": on(withCard, (reference) => done('/booking/v1/get-details', { reference })),
  'link to the page': on(withCard, (reference) => linkTo(reference)),
  quote: on(withCard, (reference) => done('/payment/v1/quote', { reference, amount: 100 })),
  balance: on(withCharge, (reference) => done('/payment/v1/balance', { reference })),
  'balance as of an instant': on(withCharge, (reference) =>
    done('/payment/v1/balance', { reference, asOf: new Date().toISOString() }),
  ),
  'payments of a booking': on(withCharge, (reference) =>
    done('/payment/v1/transaction', { reference }),
  ),
  'one payment': onPayment(withCharge, (reference, chargeId) =>
    done('/payment/v1/get-transaction', { reference, chargeId }),
  ),
  'list of bookings': listing('/booking/v1/list'),
  'list of payments': listing('/payment/v1/list'),
  'list of events': listing('/event/v1/list'),
};

/** What a client calls, by what the table calls it. */
export const clientCalls = { ...entries, ...reads };
