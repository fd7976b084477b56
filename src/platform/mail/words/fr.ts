import type { en } from './en.ts';

/** The words of mails to guests in French. */
export const fr: typeof en = {
  facts: { refund: 'Numéro de remboursement', for: 'Motif' },

  cardRequest: {
    subject: (property, reference) =>
      `Ajoutez une carte pour votre séjour – ${property} (${reference})`,
    subjectWithoutStay: (property) => `Ajoutez une carte pour ${property}`,
    heading: 'Ajouter une carte',
    action: 'Ajouter votre carte',
    until: (time) => `Ce lien permet d’ajouter une carte, jusqu’au ${time}.`,
    unexpected: 'Si vous n’attendiez pas ce message, veuillez l’ignorer.',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `Paiement pour votre séjour – ${property} (${reference})`,
      heading: 'Un paiement demande votre attention',
    },
    expiring: {
      subject: (property, reference) =>
        `Votre carte pour votre séjour – ${property} (${reference})`,
      heading: 'Votre carte expire bientôt',
    },
    stay: (property, arrival, departure, reference) =>
      `Ce message de ${property} concerne votre séjour du ${arrival} au ${departure} (${reference}).`,
    answerBy: (time) => `Veuillez remplacer la carte ou payer maintenant, avant le ${time}.`,
    chargedAtOnce:
      'Si vous ajoutez une autre carte, le paiement refusé sera aussitôt débité de cette carte.',
    action: 'Remplacer la carte ou payer',
    closing: (property) =>
      `${property} ne voit pas votre numéro de carte. Si vous avez déjà fait le nécessaire, veuillez ignorer ce message.`,
  },

  receipt: {
    subject: (property, reference) => `Reçu de paiement de ${property} (${reference})`,
    heading: 'Reçu de paiement',
    opening: (property, amount) => `${property} a reçu votre paiement de ${amount}. Merci.`,
    transactionFee: 'Frais de transaction',
  },

  refund: {
    subject: (property, reference) => `Remboursement de ${property} (${reference})`,
    heading: 'Remboursement',
    opening: (property, amount) => `${property} vous a remboursé ${amount}.`,
    timing:
      'Quelques jours peuvent être nécessaires avant que le remboursement apparaisse sur votre relevé.',
    total: 'Total remboursé',
  },

  failedPayment: {
    subject: (property, reference) => `Votre paiement à ${property} n’a pas abouti (${reference})`,
    heading: 'Paiement non effectué',
    opening: (property, amount) =>
      `${property} a tenté de débiter ${amount} de votre carte. Rien n’a été débité.`,
    noCard: 'Aucune carte n’est enregistrée pour ce paiement.',
    notMade: 'Le paiement n’a pas pu être effectué pour une raison technique.',
    payOnline: 'Vous pouvez payer avec cette carte ou une autre sur notre page sécurisée.',
    action: 'Payer maintenant',
    contact: (property) => `Veuillez contacter ${property} pour payer autrement.`,
  },
};
