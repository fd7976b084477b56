import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * What JSON that is kept for long mostly consists of: events, messages to the PMS and answers share their members. Never
 * change it: what is packed with it can be read only with it. Another dictionary gets the next {@link VERSION}.
 */
const DICTIONARY = `{"CancellationData":{"disbursement":{"disbursementId":"","gatewayId":"stripe","status":"paid_out","currency":"","grossAmount":,"fee":,"netAmount":,"description":"Payments and refunds of 20","timeEffective":"20","expectedArrivalDate":"20"}}{"application":{"balance":{"bookingReference":"","currency":"","totalCost":,"paid":,"overpaid":}},"dispute":{"disputeId":"dp_","status":"needs_response","reason":"fraudulent","amount":,"openedOn":"20"},"warnings":["exceeds_due"]}}{"ok":false,"error":{"code":"card_declined","detail":"The card was declined. Nothing was charged.","members":{"declineCode":"insufficient_funds","retryable":true,"transaction":"status":"Declined"}}}{"BookingData":{"Reference":"","PMSConfirmationNumber":"","ChannelName":"","ChannelID":"","Created":"20","ArrivalDate":"20","DepartureDate":"20","ETA":"","Notes":"","Guest":{"Prefix":"","FirstName":"","MiddleNames":"","LastName":"","Suffix":"","Company":"","Phone":"+61","Mobile":"","Fax":"","Email":"","Address":"","City":"","State":"","PostCode":"","Country":"","CardMask":"XXXXXXXXXXXX","CardType":"visa"},"RoomStays":[]}}{"RoomTypeCode":"","RateTypeCode":"","StartDate":"20","EndDate":"20","Adults":"2","Children":"0"}{"TransactionData":{"TransactionID":"","RelatedReference":"","RelatedSource":"","GatewayID":"stripe","GatewayReference":"pi_3","CardMask":"XXXXXXXXXXXX","CardType":"mastercard","Type":"Refund","Type":"Payment","Currency":"USD","CardFee":"","TransactionFee":"0.00","AmountNet":"","AmountGross":"","ProcessedTime":"20","Description":""}}{"timestamp":"20","booking":{"bookingReference":"","site":"","propertyName":"","arrival":"","departure":"","status":"cancelled","status":"booked","totalCost":,"currency":"AUD","payment":{},"payment":null,"createdAt":"20","changedAt":"20"}}{"timestamp":"20","card":{"cardNumber":"XXXX-XXXX-XXXX-X","cardType":"Visa","token":"","funding":"debit","issuerCountry":"AU"}},"chargeId":}{"timestamp":"20","refund":{"id":,"amount":,"creditCardFee":0,"transactionFee":0,"reference":"","bookingReference":"","type":"RefundManual","timeStamp":"","cardDetails":,"status":"Refunded"},"chargeId":}{"ok":true,"value":{"transaction":{"id":,"amount":,"creditCardFee":,"transactionFee":0,"bookingReference":"","type":"PaymentManual","type":"PaymentBalance","type":"PaymentDeposit","timeStamp":"20","cardDetails":{"cardNumber":"","cardType":"visa","currency":"AUD","token":"","funding":"credit","issuerCountry":"US"},"reference":"","status":"Cancelled","status":"Authorized","preAuth":true,"expiryTime":"20","holdUntil":"20","status":"Pending","initiator":"guest","scheduledTime":"20","attempts":1,"status":"Accepted","refunds":[]}}`;

/** The first byte of what is packed with {@link DICTIONARY}. */
const VERSION = 1;

/** Little is packed at a time: a small window is made faster. */
const SMALL = { level: 9, windowBits: 12, memLevel: 4 };

/**
 * Packs JSON into a third of its length or less. `known` are values of its row that occur in it: they take hardly any
 * room, and the same are needed to read it.
 */
export function packed(value: unknown, known: readonly unknown[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const short = deflateRawSync(text, { ...SMALL, dictionary: dictionaryWith(known) });
  return Uint8Array.of(VERSION, ...short);
}

/** Reads what {@link packed} made. */
export function unpacked(bytes: Uint8Array, known: readonly unknown[]): unknown {
  if (bytes[0] !== VERSION) throw new Error('packed with an unknown dictionary');
  const text = inflateRawSync(bytes.subarray(1), { dictionary: dictionaryWith(known) });
  return JSON.parse(new TextDecoder().decode(text));
}

function dictionaryWith(known: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(`${DICTIONARY}${known.join(' ')}`);
}
