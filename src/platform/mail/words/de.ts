import type { en } from './en.ts';

/** The words of mails to guests in German. */
export const de: typeof en = {
  facts: { refund: 'Erstattungsnummer', for: 'Wofür' },

  cardRequest: {
    subject: (property, reference) =>
      `Karte für Ihren Aufenthalt bei ${property} hinzufügen (${reference})`,
    subjectWithoutStay: (property) => `Karte für ${property} hinzufügen`,
    heading: 'Karte hinzufügen',
    action: 'Ihre Karte hinzufügen',
    until: (time) => `Mit diesem Link können Sie eine Karte hinzufügen, bis ${time}.`,
    unexpected: 'Wenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie bitte.',
  },

  recovery: {
    declined: {
      subject: (property, reference) =>
        `Zahlung für Ihren Aufenthalt bei ${property} (${reference})`,
      heading: 'Eine Zahlung braucht Ihre Aufmerksamkeit',
    },
    expiring: {
      subject: (property, reference) =>
        `Ihre Karte für Ihren Aufenthalt bei ${property} (${reference})`,
      heading: 'Ihre Karte läuft bald ab',
    },
    stay: (property, arrival, departure, reference) =>
      `Es geht um Ihren Aufenthalt bei ${property} vom ${arrival} bis ${departure} (${reference}).`,
    answerBy: (time) =>
      `Bitte ersetzen Sie die Karte oder bezahlen Sie jetzt, bis spätestens ${time}.`,
    chargedAtOnce:
      'Wenn Sie eine andere Karte hinzufügen, wird die abgelehnte Zahlung sofort davon abgebucht.',
    action: 'Karte ersetzen oder bezahlen',
    closing: (property) =>
      `Niemand bei ${property} sieht Ihre Kartennummer. Wenn Sie dies schon erledigt haben, ignorieren Sie diese Nachricht bitte.`,
  },

  receipt: {
    subject: (property, reference) => `Zahlungsbeleg von ${property} (${reference})`,
    heading: 'Zahlungsbeleg',
    opening: (property, amount) =>
      `${property} hat Ihre Zahlung von ${amount} erhalten. Vielen Dank.`,
    transactionFee: 'Transaktionsgebühr',
  },

  refund: {
    subject: (property, reference) => `Erstattung von ${property} (${reference})`,
    heading: 'Erstattung',
    opening: (property, amount) => `${property} hat Ihnen ${amount} erstattet.`,
    timing: 'Es kann einige Tage dauern, bis Ihre Bank die Erstattung auf Ihrem Konto zeigt.',
    total: 'Insgesamt erstattet',
  },

  failedPayment: {
    subject: (property, reference) =>
      `Ihre Zahlung an ${property} ist nicht gelungen (${reference})`,
    heading: 'Zahlung nicht erfolgt',
    opening: (property, amount) =>
      `${property} hat versucht, ${amount} von Ihrer Karte abzubuchen. Es wurde nichts abgebucht.`,
    noCard: 'Für diese Zahlung ist keine Karte hinterlegt.',
    notMade: 'Die Zahlung war aus technischen Gründen nicht möglich.',
    payOnline:
      'Sie können mit dieser oder einer anderen Karte auf unserer sicheren Seite bezahlen.',
    action: 'Jetzt bezahlen',
    contact: (property) => `Bitte wenden Sie sich an ${property}, um auf andere Weise zu bezahlen.`,
  },
};
