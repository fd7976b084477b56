import type { en } from './en.ts';

const BLOCKED = 'Votre banque indique que cette carte ne peut plus être utilisée.';
const WRONG_NUMBER = 'Votre banque ne connaît pas ce numéro de carte.';
const WRONG_SECURITY_CODE = 'Le code de sécurité est incorrect.';

/** The words in French, with the formal address. */
export const fr: typeof en = {
  language: 'fr',
  ownName: 'Français',
  locale: 'fr-FR',

  declines: {
    insufficient_funds: 'Votre banque indique que le solde du compte est insuffisant.',
    card_velocity_exceeded: 'Le plafond de la carte est atteint.',
    expired_card: 'La carte a expiré.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'Votre banque doit vérifier votre identité. Vous pouvez payer à nouveau et confirmer le paiement auprès d’elle.',
    currency_not_supported: 'La carte ne peut pas être débitée dans cette devise.',
    other: 'Votre banque a refusé le paiement sans donner de raison.',
  },

  purposes: { Deposit: 'Acompte', Balance: 'Paiement', Bond: 'Caution', Manual: 'Paiement' },

  card: {
    endingIn: (brand, last4) => `${brand} se terminant par ${last4}`,
    withExpiry: (card, expiry) => `${card}, expiration ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Erreur : ${title}`,
    language: 'Langue',
    wait: 'Veuillez patienter…',
    cardSafety: (property) =>
      `Votre numéro de carte est transmis à la société de paiement. Il n’est pas enregistré ici, et ${property} ne peut pas le voir.`,
    phone: 'Téléphone',
    email: 'E-mail',
    website: 'Site web',
    terms: 'Conditions',
    taxId: 'Numéro fiscal',
  },

  messages: {
    foreignForm: {
      heading: 'Ce formulaire ne peut pas être envoyé d’ici',
      text: 'Rien n’a été modifié et rien n’a été débité. Veuillez ouvrir à nouveau le lien de votre message.',
    },
    unreadable: {
      heading: 'Nous n’avons pas pu lire le formulaire',
      text: 'Rien n’a été modifié et rien n’a été débité. Veuillez réessayer.',
    },
    unknownLink: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Veuillez ouvrir à nouveau le lien complet de votre message. Si cela ne suffit pas, demandez un nouveau lien à l’établissement.',
    },
    expiredLink: {
      heading: 'Ce lien a expiré',
      text: 'Veuillez demander un nouveau lien à l’établissement. Les paiements que vous avez effectués sont en sécurité.',
    },
    replacedLink: {
      heading: 'Ce lien a été remplacé',
      text: 'Veuillez utiliser le lien de l’e-mail le plus récent.',
    },
    sessionEnded: {
      heading: 'Votre session a expiré',
      text: 'Pour votre sécurité, cette page se ferme après 30 minutes sans activité. Veuillez ouvrir à nouveau le lien de votre message. Les cookies doivent être activés.',
    },
    unknownOutcome: {
      heading: 'Nous n’avons pas pu confirmer ce qui s’est passé',
      text: 'Veuillez ouvrir à nouveau le lien de votre message et vérifier le résultat avant de réessayer.',
    },
    busy: {
      heading: 'Un instant, s’il vous plaît',
      text: 'Il y a beaucoup d’affluence en ce moment. Veuillez réessayer dans un instant.',
    },
    failed: {
      heading: 'Une erreur s’est produite',
      text: 'Veuillez réessayer plus tard ou contacter l’établissement.',
    },
    errorReference: (text, id) => `${text} (Référence de l’erreur : ${id})`,
  },

  booking: {
    back: 'Retour à votre réservation',
    title: 'Votre réservation',
    cancelledHeading: 'Votre réservation est annulée',
    cancelled: (property) =>
      `Il n’y a rien à payer ici. Si vous n’avez pas annulé cette réservation, veuillez contacter ${property}.`,
    stay: 'Séjour',
    guest: 'Client',
    reference: 'Réservation',
    arrival: 'Arrivée',
    departure: 'Départ',
    dates: (arrival, departure) => `du ${arrival} au ${departure}`,
    ahead: (days) =>
      days === 1 ? 'Votre séjour commence demain.' : `Votre séjour commence dans ${days} jours.`,
    inHouse: (departure) => `Vous séjournez chez nous jusqu’au ${departure}.`,
    past: (departure) => `Votre séjour s’est terminé le ${departure}.`,
    dueInHouse: 'Veuillez payer avant votre départ.',
    overdue: 'Ce paiement est en retard.',
  },

  amounts: {
    heading: 'Montants',
    stay: 'Votre séjour',
    fees: 'Frais de carte',
    charged: 'Débité de vos cartes',
    refunded: 'Remboursé',
    disputed: 'Contesté auprès de votre banque',
    due: 'Reste à payer',
    overpaid: 'Trop-perçu',
    ofWhichConfirming: 'Dont en cours de confirmation par votre banque',
    ofWhichDisputed: 'Dont contesté auprès de votre banque',
    overpaidText: (amount, property) =>
      `Vous avez payé ${amount} de plus que le prix de votre séjour. Veuillez contacter ${property} au sujet d’un remboursement.`,
    dueAfterRefund: (refunded, property) =>
      `${refunded} vous ont été remboursés, cette partie du prix est donc à nouveau à payer. Si le remboursement devait réduire le prix, veuillez contacter ${property} avant de payer.`,
  },

  scheduled: {
    heading: 'Sera débité automatiquement',
    line: (amount, time) => `${amount} le ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, pas encore de carte`,
    payNow:
      'Vous pouvez aussi payer maintenant. Nous annulons alors le débit automatique devenu inutile : vous ne payez qu’une fois.',
    notNeeded: (property) =>
      `C’est plus que ce que vous devez. Veuillez contacter ${property} pour ne pas être débité deux fois.`,
  },

  pay: {
    heading: 'Payer',
    payInstead: 'Payer maintenant',
    nothingScheduled: 'Vous n’avez rien à faire : le reste est débité automatiquement.',
    nothingConfirming:
      'Il n’y a rien à payer pour le moment : votre banque confirme encore un paiement.',
    nothingDisputed:
      'Il n’y a rien à payer ici : un paiement est contesté auprès de votre banque. Pour toute question, veuillez contacter l’établissement.',
    nothingDue: 'Tout est payé. Merci.',
    intro: (amount) => `Payez ${amount} par carte, en totalité ou en partie.`,
    amountLegend: 'Montant',
    full: (amount) => `Tout ce qui reste à payer : ${amount}`,
    unscheduled: (amount) => `Ce qui n’est pas débité automatiquement : ${amount}`,
    deposit: (amount) => `Acompte : ${amount}`,
    all: (amount) => `La totalité, y compris ce qui est débité automatiquement : ${amount}`,
    other: 'Un autre montant',
    amountIn: (currency) => `Montant en ${currency}`,
    upTo: (amount) => `Vous pouvez payer jusqu’à ${amount}.`,
    cardLegend: 'Carte',
    newCard: 'Une nouvelle carte',
    addCard: 'Ajouter une carte',
    bookingPayment: 'Paiement de la réservation',
    cardFee: 'Frais de carte',
    total: 'Total à payer',
    feeByCard: 'Les frais dépendent de la carte. Vous voyez le total avant de payer.',
    seeTotal: 'Vous verrez le total, frais de carte éventuels compris, avant de payer.',
    button: (total) => `Payer ${total}`,
    continue: 'Continuer',
    reviewTitle: 'Vérifier et payer',
    change: 'Modifier le montant ou la carte',
    replaces: 'Vous payez ceci maintenant à la place du débit automatique. Nous annulons ensuite :',
    staysScheduled: (amount) => `${amount} seront toujours débités automatiquement.`,
  },

  payIssues: {
    amountFormat: (example) => `Saisissez un montant comme ${example}.`,
    amountTooMuch: (amount) => `Vous pouvez payer jusqu’à ${amount}.`,
    amountPrecision:
      'Saisissez un montant plus rond : votre banque n’en accepte pas d’aussi précis.',
    chooseCard: 'Choisissez une carte.',
    cancelled: 'Votre réservation est annulée.',
    changed:
      'Votre réservation ou son prix a changé. Veuillez vérifier les montants avant de payer.',
    cardGone: 'Cette carte n’est plus disponible. Veuillez en choisir une autre.',
    cardExpired: 'Cette carte a expiré. Veuillez en ajouter une autre.',
    tooManyDeclines:
      'Trop de cartes ont été refusées. Veuillez attendre dix minutes ou contacter l’établissement.',
    gateway: 'La société de paiement n’a pas pu effectuer le paiement. Rien n’a été débité.',
    busy: 'Il y a beaucoup d’affluence en ce moment. Rien n’a été débité. Veuillez réessayer.',
  },

  results: {
    paid: (amount) => `Paiement réussi : ${amount}.`,
    seeReceipt: 'Voir le reçu',
    cardAdded: 'Carte ajoutée. Vérifiez le montant ci-dessous et continuez.',
    cardAddedOnly: 'Carte ajoutée.',
    chargedNow: (amount) => `${amount}, refusés auparavant, ont été débités de cette carte.`,
    confirming: (amount) => `Votre banque confirme encore le paiement de ${amount}.`,
    movedToIt: 'Ces débits automatiques utiliseront cette carte :',
    failedOnIt: (amount) => `Le paiement de ${amount} n’a pas pu être effectué avec cette carte.`,
    declinedHeading: 'La carte a été refusée',
    notCharged: 'Rien n’a été débité.',
    tryAnother: 'Essayez une autre carte ou appelez votre banque.',
    cancelled: 'Le paiement a été annulé. Rien n’a été débité.',
    failed: 'Échec du paiement – rien n’a été débité. Vous pouvez payer à nouveau.',
    cardUnclear:
      'Votre carte n’est peut-être pas encore enregistrée. Rechargez cette page dans une minute. Si elle ne figure pas ci-dessous, veuillez l’ajouter à nouveau.',
    cardRemoved: 'Carte supprimée.',
  },

  underWay: {
    atBank: (amount) =>
      `Votre paiement de ${amount} n’est pas terminé : votre banque doit vérifier votre identité.`,
    continueAtBank: 'Continuer ou annuler ce paiement',
    confirming: (amount) =>
      `Votre paiement de ${amount} n’est pas encore confirmé. Veuillez ne pas payer à nouveau.`,
    look: 'Voir où en est ce paiement',
  },

  cards: {
    heading: 'Cartes enregistrées',
    none: 'Il n’y a pas encore de carte.',
    givenWithBooking: (property) =>
      `Donnée lors de la réservation : seul ${property} peut la débiter.`,
    expired: 'Expirée.',
    add: 'Ajouter une carte',
    addAnother: 'Ajouter une autre carte',
    remove: 'Supprimer',
    removeLabel: (card) => `Supprimer ${card}`,
    removeTitle: 'Supprimer cette carte ?',
    removeText: (card, property) =>
      `${property} ne pourra plus débiter ${card}. Les paiements déjà effectués restent inchangés.`,
    removeButton: 'Supprimer la carte',
    keep: 'Garder la carte',
    inUse:
      'Cette carte ne peut pas encore être supprimée : un débit automatique, une réservation de montant ou un paiement l’utilise. Ajoutez d’abord une autre carte ou contactez l’établissement.',
    gone: 'Cette carte n’est plus liée à votre réservation.',
  },

  payments: {
    heading: 'Paiements',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, programmé`,
    willBeCharged: (time) => `sera débité automatiquement le ${time}`,
    held: 'Montant réservé sur votre carte (non débité)',
    failed: (purpose) => `${purpose} : échec – rien n’a été débité`,
    declined: (purpose) => `${purpose} : refus – rien n’a été débité`,
    waitingForYou: (purpose) => `${purpose}, en attente de votre confirmation auprès de la banque`,
    holdBeingPlaced: 'Réservation du montant en cours (non débité)',
    holdBeingReleased: 'Libération du montant réservé en cours',
    confirming: (purpose) => `${purpose}, en cours de confirmation par votre banque`,
    withFee: (fee) => `dont frais de carte : ${fee}`,
    receipt: 'Reçu',
    receiptOf: (amount, time) => `Reçu de ${amount}, ${time}`,
    refunded: 'Remboursement',
    refundConfirming: 'Remboursement, en cours de confirmation par votre banque',
    refundFailed: 'Échec du remboursement : l’établissement vous contactera',
  },

  cardForm: {
    title: 'Ajouter une carte',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    expiryHint: 'Mois et année, par exemple 04/29',
    code: 'Code de sécurité',
    codeHint: '3 chiffres au dos de la carte, ou 4 au recto',
    holder: 'Nom sur la carte',
    submit: 'Ajouter la carte',
    notCharged: 'Votre carte ne sera pas encore débitée.',
    summary: 'Veuillez vérifier ces champs',
    inField: (field, issue) => `${field} : ${issue}`,
    typeAgain:
      'Pour votre sécurité, veuillez saisir à nouveau le numéro de carte et le code de sécurité.',
    tooMany:
      'Vous avez essayé autant de cartes que nous en acceptons en une heure. Veuillez revenir plus tard.',
    unknown:
      'Nous n’avons pas pu confirmer si la carte a été ajoutée. Rien n’a été débité. Veuillez ouvrir à nouveau le lien de votre message pour vérifier avant de réessayer.',
    failed:
      'La carte n’a pas pu être ajoutée. Votre banque ne l’a pas refusée : une erreur s’est produite de notre côté. Rien n’a été débité. Veuillez réessayer ou utiliser une autre carte.',
    declined: (reason) =>
      `Votre banque a refusé cette carte. ${reason} Rien n’a été débité. Veuillez vérifier la carte ou en utiliser une autre.`,
    needsBank:
      'Votre banque a refusé cette carte. Elle doit vérifier votre identité, ce que cette page ne permet pas. Rien n’a été débité. Veuillez utiliser une autre carte ou contacter l’établissement.',
    issues: {
      cardNumber: 'Vérifiez le numéro de carte.',
      cardExpiry: 'Saisissez la date au format MM/AA.',
      expired: 'Cette carte a expiré. Veuillez en utiliser une autre.',
      cvv: 'Saisissez le code à 3 ou 4 chiffres.',
      cvvOf: (digits) => `Saisissez le code à ${digits} chiffres de cette carte.`,
      cardHolderName: 'Saisissez le nom figurant sur la carte.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} conserve cette carte pour votre réservation. Vous acceptez qu’y soient débités ce que vous payez ici et les débits automatiques indiqués sur cette page.`,
    saved: (property) =>
      `En ajoutant cette carte, vous acceptez que ${property} y débite ce que vous devez pour votre séjour : les débits automatiques indiqués ici et ce dont vous êtes convenu avec l’établissement.`,
    terms: (property) => `Conditions de ${property}`,
  },

  element: {
    needsScript:
      'La société de paiement recueille votre carte dans son propre formulaire, qui nécessite JavaScript. Veuillez activer JavaScript pour cette page ou contacter l’établissement.',
    notLoaded:
      'Le formulaire n’a pas pu être chargé. Veuillez vérifier votre connexion et recharger cette page.',
    loadError: 'Le formulaire n’a pas pu être chargé. Veuillez réessayer plus tard.',
    noAnswer: 'La société de paiement n’a pas répondu. Veuillez réessayer.',
    checkCard: 'Veuillez vérifier les informations de la carte.',
  },

  bank: {
    heading: 'Confirmez votre identité',
    toPay:
      'Votre banque doit vérifier votre identité. Rien n’est débité avant que vous y confirmiez le paiement.',
    toAdd: 'Votre banque doit vérifier votre identité. Rien n’est débité à cette étape.',
    amount: 'Montant',
    card: 'Carte',
    continue: 'Continuer vers votre banque',
    comesBack: 'Votre banque vous ramènera ensuite ici.',
    within: (minutes) =>
      `Veuillez confirmer dans ${minutes === 1 ? 'la minute' : `les ${minutes} minutes`}. Passé ce délai, le paiement est annulé.`,
    cancel: 'Annuler ce paiement',
  },

  receipt: {
    title: 'Reçu',
    heading: 'Paiement réussi',
    mailed: 'Nous vous envoyons également ce reçu par e-mail.',
    confirmingHeading: 'Votre paiement est en cours de confirmation',
    confirming:
      'Votre banque n’a pas encore confirmé ce paiement. Veuillez ne pas payer à nouveau : vous ne serez pas débité deux fois. Cette page se met à jour toute seule.',
    checkAgain: 'Vérifier à nouveau',
    total: 'Total débité',
    totalAsked: 'Total à payer',
    refunded: 'Remboursé depuis',
    card: 'Carte',
    time: 'Date et heure',
    number: 'Numéro de paiement',
    stillDue: 'Reste à payer',
    print: 'Imprimer ce reçu',
    from: 'Reçu par',
  },

  unsure: {
    heading: 'Nous vérifions votre paiement',
    text: 'Veuillez ne pas commencer un nouveau paiement. Appuyez sur « Vérifier à nouveau » : si ce paiement n’a pas été effectué, il le sera alors. Vous ne serez pas débité deux fois.',
    button: 'Vérifier à nouveau',
  },

  recovery: {
    heading: 'Votre carte demande votre attention',
    expiring: (amount, on, card) =>
      `${amount} doivent être débités${on}. Votre ${card} aura expiré d’ici là.`,
    declined: (amount, on, card) =>
      `Le paiement de ${amount}${on} a été refusé pour votre ${card}.`,
    authentication: (amount, on, card) =>
      `La banque de votre ${card} souhaite que vous confirmiez vous-même le paiement de ${amount}${on}.`,
    on: (time) => ` le ${time}`,
    cardName: (brand, last4) => `carte ${brand} se terminant par ${last4}`,
    replace: 'Remplacer la carte',
    orPay: 'ou payer ci-dessous.',
    orPayBy: (time) => `ou payer ci-dessous, avant le ${time}.`,
    chargedAtOnce:
      'Dès que vous ajoutez cette carte, elle est débitée, frais de carte éventuels en sus, de :',
    declinedBefore: (amount) => `${amount}, refusés auparavant`,
    moved: 'Ces débits automatiques utiliseront la nouvelle carte :',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} a besoin d’une carte pour votre séjour du ${arrival} au ${departure}, réservation ${reference}.`,
    withoutStay: (property) => `${property} a besoin d’une carte de votre part.`,
    caution: (property) =>
      `${property} ne verra pas votre numéro de carte, et rien ne sera débité maintenant.`,
    thanksHeading: 'Merci',
    thanks: (property) =>
      `Votre carte est enregistrée pour ${property}. Vous pouvez fermer cette page.`,
    cancelledHeading: 'Aucune carte n’est nécessaire',
    cancelled: (property) =>
      `Votre réservation est annulée, ${property} n’a donc pas besoin de carte. Si vous ne l’avez pas annulée, veuillez contacter l’établissement.`,
  },
};
