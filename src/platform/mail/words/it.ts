import type { en } from './en.ts';

/** The words of mails to guests in Italian. */
export const it: typeof en = {
  facts: { refund: 'Numero del rimborso', for: 'Causale' },

  cardRequest: {
    subject: (property, reference) =>
      `Aggiunga una carta per il Suo soggiorno presso ${property} (${reference})`,
    subjectWithoutStay: (property) => `Aggiunga una carta per ${property}`,
    heading: 'Aggiungere una carta',
    action: 'Aggiungere la Sua carta',
    until: (time) => `Con questo link può aggiungere una carta, fino a: ${time}.`,
    unexpected: 'Se non aspettava questo messaggio, La preghiamo di ignorarlo.',
  },

  recovery: {
    declined: {
      subject: (property, reference) =>
        `Pagamento per il Suo soggiorno presso ${property} (${reference})`,
      heading: 'Un pagamento richiede la Sua attenzione',
    },
    expiring: {
      subject: (property, reference) =>
        `La Sua carta per il soggiorno presso ${property} (${reference})`,
      heading: 'La Sua carta sta per scadere',
    },
    stay: (property, arrival, departure, reference) =>
      `Questo messaggio riguarda il Suo soggiorno presso ${property} (${arrival} – ${departure}), prenotazione ${reference}.`,
    answerBy: (time) => `La preghiamo di sostituire la carta o di pagare ora, entro: ${time}.`,
    chargedAtOnce:
      'Se aggiunge un’altra carta, il pagamento rifiutato viene subito addebitato su quella carta.',
    action: 'Sostituire la carta o pagare',
    closing: (property) =>
      `Nessuno presso ${property} vede il numero della Sua carta. Se ha già provveduto, La preghiamo di ignorare questo messaggio.`,
  },

  receipt: {
    subject: (property, reference) => `Ricevuta di pagamento di ${property} (${reference})`,
    heading: 'Ricevuta di pagamento',
    opening: (property, amount) => `${property} ha ricevuto il Suo pagamento di ${amount}. Grazie.`,
    transactionFee: 'Commissione di transazione',
  },

  refund: {
    subject: (property, reference) => `Rimborso da ${property} (${reference})`,
    heading: 'Rimborso',
    opening: (property, amount) => `${property} Le ha rimborsato ${amount}.`,
    timing: 'Possono passare alcuni giorni prima che il rimborso compaia sul Suo estratto conto.',
    total: 'Totale rimborsato',
  },

  failedPayment: {
    subject: (property, reference) =>
      `Il Suo pagamento a ${property} non è riuscito (${reference})`,
    heading: 'Pagamento non effettuato',
    opening: (property, amount) =>
      `${property} ha provato ad addebitare ${amount} sulla Sua carta. Nulla è stato addebitato.`,
    noCard: 'Non c’è alcuna carta per questo pagamento.',
    notMade: 'Non è stato possibile effettuare il pagamento per un motivo tecnico.',
    payOnline: 'Può pagare con questa o un’altra carta sulla nostra pagina sicura.',
    action: 'Pagare ora',
    contact: (property) => `Contatti ${property} per pagare in altro modo.`,
  },
};
