import type { en } from './en.ts';

const BLOCKED = 'La Sua banca comunica che questa carta non può più essere utilizzata.';
const WRONG_NUMBER = 'La Sua banca non riconosce questo numero di carta.';
const WRONG_SECURITY_CODE = 'Il codice di sicurezza non è corretto.';

/** The words in Italian, with the formal address. */
export const it: typeof en = {
  language: 'it',
  ownName: 'Italiano',
  locale: 'it-IT',

  declines: {
    insufficient_funds: 'La Sua banca comunica che il saldo del conto non è sufficiente.',
    card_velocity_exceeded: 'La carta ha raggiunto il limite.',
    expired_card: 'La carta è scaduta.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'La Sua banca deve verificare la Sua identità. Può pagare di nuovo e confermare presso la banca.',
    currency_not_supported: 'La carta non può essere addebitata in questa valuta.',
    other: 'La Sua banca ha rifiutato il pagamento senza indicarne il motivo.',
  },

  purposes: { Deposit: 'Acconto', Balance: 'Pagamento', Bond: 'Cauzione', Manual: 'Pagamento' },

  card: {
    endingIn: (brand, last4) => `${brand} che termina con ${last4}`,
    withExpiry: (card, expiry) => `${card}, scadenza ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Errore: ${title}`,
    language: 'Lingua',
    wait: 'Attendere prego…',
    cardSafety: (property) =>
      `Il numero della Sua carta viene inviato alla società di pagamento. Non viene conservato qui e ${property} non può vederlo.`,
    phone: 'Telefono',
    email: 'E-mail',
    website: 'Sito web',
    terms: 'Condizioni',
    taxId: 'Partita IVA',
  },

  messages: {
    foreignForm: {
      heading: 'Questo modulo non può essere inviato da qui',
      text: 'Nulla è stato modificato né addebitato. La preghiamo di aprire di nuovo il link del Suo messaggio.',
    },
    unreadable: {
      heading: 'Non è stato possibile leggere il modulo',
      text: 'Nulla è stato modificato né addebitato. La preghiamo di riprovare.',
    },
    unknownLink: {
      heading: 'Questo link non funziona',
      text: 'La preghiamo di aprire di nuovo il link completo del Suo messaggio. Se non basta, chieda un nuovo link alla struttura.',
    },
    expiredLink: {
      heading: 'Questo link è scaduto',
      text: 'La preghiamo di chiedere un nuovo link alla struttura. I pagamenti effettuati sono al sicuro.',
    },
    replacedLink: {
      heading: 'Questo link è stato sostituito',
      text: 'La preghiamo di usare il link dell’e-mail più recente.',
    },
    sessionEnded: {
      heading: 'La Sua sessione è scaduta',
      text: 'Per la Sua sicurezza, questa pagina si chiude dopo 30 minuti di inattività. La preghiamo di aprire di nuovo il link del Suo messaggio. I cookie devono essere attivi.',
    },
    unknownOutcome: {
      heading: 'Non è stato possibile confermare l’esito',
      text: 'La preghiamo di aprire di nuovo il link del Suo messaggio e di controllare l’esito prima di riprovare.',
    },
    busy: {
      heading: 'Un momento, per favore',
      text: 'In questo momento ci sono molte richieste. La preghiamo di riprovare tra poco.',
    },
    failed: {
      heading: 'Qualcosa è andato storto',
      text: 'La preghiamo di riprovare più tardi o di contattare la struttura.',
    },
    errorReference: (text, id) => `${text} (Riferimento dell’errore: ${id})`,
  },

  booking: {
    back: 'Tornare alla prenotazione',
    title: 'La Sua prenotazione',
    cancelledHeading: 'La Sua prenotazione è cancellata',
    cancelled: (property) =>
      `Qui non c’è nulla da pagare. Se non ha cancellato Lei questa prenotazione, contatti ${property}.`,
    stay: 'Soggiorno',
    guest: 'Ospite',
    reference: 'Prenotazione',
    arrival: 'Arrivo',
    departure: 'Partenza',
    dates: (arrival, departure) => `${arrival} – ${departure}`,
    ahead: (days) =>
      days === 1
        ? 'Il Suo soggiorno inizia domani.'
        : `Il Suo soggiorno inizia tra ${days} giorni.`,
    inHouse: (departure) => `Soggiorna da noi fino al giorno ${departure}.`,
    past: (departure) => `Il Suo soggiorno è terminato il giorno ${departure}.`,
    dueInHouse: 'La preghiamo di pagare prima della partenza.',
    overdue: 'Questo pagamento è scaduto.',
  },

  amounts: {
    heading: 'Importi',
    stay: 'Il Suo soggiorno',
    fees: 'Commissioni sulla carta',
    charged: 'Addebitato sulle Sue carte',
    refunded: 'Rimborsato',
    disputed: 'Contestato presso la Sua banca',
    due: 'Da pagare',
    overpaid: 'Pagato in più',
    ofWhichConfirming: 'Di cui in attesa di conferma dalla Sua banca',
    ofWhichDisputed: 'Di cui contestato presso la Sua banca',
    overpaidText: (amount, property) =>
      `Ha pagato ${amount} in più rispetto al costo del soggiorno. Contatti ${property} per un rimborso.`,
    dueAfterRefund: (refunded, property) =>
      `Le sono stati rimborsati ${refunded}, quindi questa parte del prezzo è di nuovo da pagare. Se il rimborso doveva ridurre il prezzo, contatti ${property} prima di pagare.`,
  },

  scheduled: {
    heading: 'Verrà addebitato automaticamente',
    line: (amount, time) => `${amount}, ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, ancora nessuna carta`,
    payNow:
      'Può anche pagare subito. In tal caso annulliamo l’addebito automatico non più necessario, così paga una volta sola.',
    notNeeded: (property) =>
      `È più di quanto deve. Contatti ${property} per evitare un doppio addebito.`,
  },

  pay: {
    heading: 'Pagamento',
    payInstead: 'Pagare subito',
    nothingScheduled: 'Non deve fare nulla: il resto viene addebitato automaticamente.',
    nothingConfirming:
      'Al momento non c’è nulla da pagare: la Sua banca sta ancora confermando un pagamento.',
    nothingDisputed:
      'Qui non c’è nulla da pagare: un pagamento è contestato presso la Sua banca. Per domande, contatti la struttura.',
    nothingDue: 'È tutto pagato. Grazie.',
    intro: (amount) => `Paghi ${amount} con carta, per intero o in parte.`,
    amountLegend: 'Importo',
    full: (amount) => `Tutto l’importo dovuto: ${amount}`,
    unscheduled: (amount) => `Quanto non viene addebitato automaticamente: ${amount}`,
    deposit: (amount) => `Acconto: ${amount}`,
    all: (amount) => `Tutto, anche quanto viene addebitato automaticamente: ${amount}`,
    other: 'Un altro importo',
    amountIn: (currency) => `Importo in ${currency}`,
    upTo: (amount) => `Può pagare fino a ${amount}.`,
    cardLegend: 'Carta',
    newCard: 'Una nuova carta',
    addCard: 'Aggiungere una carta',
    bookingPayment: 'Pagamento della prenotazione',
    cardFee: 'Commissione sulla carta',
    total: 'Totale da pagare',
    feeByCard: 'La commissione dipende dalla carta. Vedrà il totale prima di pagare.',
    seeTotal: 'Vedrà il totale, con l’eventuale commissione sulla carta, prima di pagare.',
    button: (total) => `Paga ${total}`,
    continue: 'Continua',
    reviewTitle: 'Verifica e paga',
    change: 'Modificare l’importo o la carta',
    replaces: 'Paga questo adesso al posto dell’addebito automatico. Poi annulliamo:',
    staysScheduled: (amount) => `${amount} verranno comunque addebitati automaticamente.`,
  },

  payIssues: {
    amountFormat: (example) => `Inserisca un importo come ${example}.`,
    amountTooMuch: (amount) => `Può pagare fino a ${amount}.`,
    amountPrecision:
      'Inserisca un importo più arrotondato: la Sua banca non ne accetta uno così preciso.',
    chooseCard: 'Scelga una carta.',
    cancelled: 'La Sua prenotazione è cancellata.',
    changed:
      'La Sua prenotazione o il suo prezzo è cambiato. Controlli gli importi prima di pagare.',
    cardGone: 'Questa carta non è più disponibile. Ne scelga un’altra.',
    cardExpired: 'Questa carta è scaduta. Ne aggiunga un’altra.',
    tooManyDeclines:
      'Sono state rifiutate troppe carte. Attenda dieci minuti o contatti la struttura.',
    gateway:
      'La società di pagamento non ha potuto effettuare il pagamento. Nulla è stato addebitato.',
    busy: 'In questo momento ci sono molte richieste. Nulla è stato addebitato. La preghiamo di riprovare.',
  },

  results: {
    paid: (amount) => `Pagamento riuscito: ${amount}.`,
    seeReceipt: 'Vedere la ricevuta',
    cardAdded: 'Carta aggiunta. Controlli l’importo qui sotto e continui.',
    cardAddedOnly: 'Carta aggiunta.',
    chargedNow: (amount) => `${amount}, prima rifiutati, sono stati addebitati su questa carta.`,
    confirming: (amount) => `La Sua banca sta ancora confermando il pagamento di ${amount}.`,
    movedToIt: 'Questi addebiti automatici useranno questa carta:',
    failedOnIt: (amount) => `Non è stato possibile pagare ${amount} con questa carta.`,
    declinedHeading: 'La carta è stata rifiutata',
    notCharged: 'Nulla è stato addebitato.',
    tryAnother: 'Provi un’altra carta o chiami la Sua banca.',
    cancelled: 'Il pagamento è stato annullato. Nulla è stato addebitato.',
    failed: 'Pagamento non riuscito: nulla è stato addebitato. Può pagare di nuovo.',
    cardUnclear:
      'La Sua carta potrebbe non essere ancora salvata. Ricarichi questa pagina tra un minuto. Se non compare qui sotto, la aggiunga di nuovo.',
    cardRemoved: 'Carta rimossa.',
  },

  underWay: {
    atBank: (amount) =>
      `Il Suo pagamento di ${amount} non è concluso: la Sua banca deve verificare la Sua identità.`,
    continueAtBank: 'Continuare o annullare questo pagamento',
    confirming: (amount) =>
      `Il Suo pagamento di ${amount} non è ancora confermato. La preghiamo di non pagare di nuovo.`,
    look: 'Vedere lo stato di questo pagamento',
  },

  cards: {
    heading: 'Carte salvate',
    none: 'Non ci sono ancora carte.',
    givenWithBooking: (property) =>
      `Fornita con la prenotazione: solo ${property} può addebitarla.`,
    expired: 'Scaduta.',
    add: 'Aggiungere una carta',
    addAnother: 'Aggiungere un’altra carta',
    remove: 'Rimuovere',
    removeLabel: (card) => `Rimuovere ${card}`,
    removeTitle: 'Rimuovere questa carta?',
    removeText: (card, property) =>
      `${property} non potrà più addebitare ${card}. I pagamenti già effettuati restano invariati.`,
    removeButton: 'Rimuovere la carta',
    keep: 'Mantenere la carta',
    inUse:
      'Questa carta non può ancora essere rimossa: la usa un addebito automatico, un blocco di importo o un pagamento. Aggiunga prima un’altra carta o contatti la struttura.',
    gone: 'Questa carta non è più legata alla Sua prenotazione.',
  },

  payments: {
    heading: 'Pagamenti',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, in programma`,
    willBeCharged: (time) => `verrà addebitato automaticamente: ${time}`,
    held: 'Importo bloccato sulla Sua carta (non addebitato)',
    failed: (purpose) => `${purpose}: non riuscito, nulla è stato addebitato`,
    declined: (purpose) => `${purpose}: rifiutato, nulla è stato addebitato`,
    waitingForYou: (purpose) => `${purpose}, in attesa della Sua conferma presso la banca`,
    holdBeingPlaced: 'Blocco dell’importo in corso (non addebitato)',
    holdBeingReleased: 'Sblocco dell’importo in corso',
    confirming: (purpose) => `${purpose}, in attesa di conferma dalla Sua banca`,
    withFee: (fee) => `con una commissione sulla carta di ${fee}`,
    receipt: 'Ricevuta',
    receiptOf: (amount, time) => `Ricevuta di ${amount}, ${time}`,
    refunded: 'Rimborso',
    refundConfirming: 'Rimborso, in attesa di conferma dalla Sua banca',
    refundFailed: 'Rimborso non riuscito: la struttura La contatterà',
  },

  cardForm: {
    title: 'Aggiungere una carta',
    number: 'Numero della carta',
    expiry: 'Data di scadenza',
    expiryHint: 'Mese e anno, ad esempio 04/29',
    code: 'Codice di sicurezza',
    codeHint: '3 cifre sul retro della carta, oppure 4 sul fronte',
    holder: 'Nome sulla carta',
    submit: 'Aggiungi la carta',
    notCharged: 'Per ora nulla verrà addebitato sulla Sua carta.',
    summary: 'La preghiamo di controllare questi campi',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain:
      'Per la Sua sicurezza, inserisca di nuovo il numero della carta e il codice di sicurezza.',
    tooMany:
      'Ha provato il numero massimo di carte accettato in un’ora. La preghiamo di tornare più tardi.',
    unknown:
      'Non è stato possibile confermare se la carta è stata aggiunta. Nulla è stato addebitato. Apra di nuovo il link del Suo messaggio per controllare prima di riprovare.',
    failed:
      'Non è stato possibile aggiungere la carta. La Sua banca non l’ha rifiutata: qualcosa è andato storto da parte nostra. Nulla è stato addebitato. Riprovi o usi un’altra carta.',
    declined: (reason) =>
      `La Sua banca ha rifiutato questa carta. ${reason} Nulla è stato addebitato. Controlli la carta o ne usi un’altra.`,
    needsBank:
      'La Sua banca ha rifiutato questa carta. Deve verificare la Sua identità, cosa che questa pagina non può chiedere. Nulla è stato addebitato. Usi un’altra carta o contatti la struttura.',
    issues: {
      cardNumber: 'Controlli il numero della carta.',
      cardExpiry: 'Inserisca la data come MM/AA.',
      expired: 'Questa carta è scaduta. Ne usi un’altra.',
      cvv: 'Inserisca il codice di 3 o 4 cifre.',
      cvvOf: (digits) => `Inserisca il codice di ${digits} cifre di questa carta.`,
      cardHolderName: 'Inserisca il nome riportato sulla carta.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} conserva questa carta per la Sua prenotazione. Lei accetta che vi vengano addebitati quanto paga qui e gli addebiti automatici indicati in questa pagina.`,
    saved: (property) =>
      `Aggiungendo questa carta, accetta che ${property} vi addebiti quanto deve per il soggiorno: gli addebiti automatici indicati qui e quanto concordato con la struttura.`,
    terms: (property) => `Condizioni di ${property}`,
  },

  element: {
    needsScript:
      'La società di pagamento raccoglie i dati della carta nel proprio modulo, che richiede JavaScript. Attivi JavaScript per questa pagina o contatti la struttura.',
    notLoaded:
      'Non è stato possibile caricare il modulo. Controlli la connessione e ricarichi questa pagina.',
    loadError: 'Non è stato possibile caricare il modulo. La preghiamo di riprovare più tardi.',
    noAnswer: 'La società di pagamento non ha risposto. La preghiamo di riprovare.',
    checkCard: 'Controlli i dati della carta.',
  },

  bank: {
    heading: 'Confermi la Sua identità',
    toPay:
      'La Sua banca deve verificare la Sua identità. Nulla viene addebitato finché non conferma il pagamento presso la banca.',
    toAdd:
      'La Sua banca deve verificare la Sua identità. In questo passaggio nulla viene addebitato.',
    amount: 'Importo',
    card: 'Carta',
    continue: 'Continua verso la Sua banca',
    comesBack: 'In seguito la Sua banca La riporterà qui.',
    within: (minutes) =>
      `Confermi entro ${minutes === 1 ? 'un minuto' : `${minutes} minuti`}. Dopo, il pagamento viene annullato.`,
    cancel: 'Annullare questo pagamento',
  },

  receipt: {
    title: 'Ricevuta',
    heading: 'Pagamento riuscito',
    mailed: 'Le inviamo questa ricevuta anche per e-mail.',
    confirmingHeading: 'Il Suo pagamento è in attesa di conferma',
    confirming:
      'La Sua banca non ha ancora confermato questo pagamento. La preghiamo di non pagare di nuovo: non ci sarà un doppio addebito. Questa pagina si aggiorna da sola.',
    checkAgain: 'Controllare di nuovo',
    total: 'Totale addebitato',
    totalAsked: 'Totale da pagare',
    refunded: 'Rimborsato da allora',
    card: 'Carta',
    time: 'Data e ora',
    number: 'Numero del pagamento',
    stillDue: 'Ancora da pagare',
    print: 'Stampare questa ricevuta',
    from: 'Ricevuto da',
  },

  unsure: {
    heading: 'Stiamo verificando il Suo pagamento',
    text: 'La preghiamo di non iniziare un nuovo pagamento. Prema «Controllare di nuovo»: se questo pagamento non è stato effettuato, lo sarà allora. Non ci sarà un doppio addebito.',
    button: 'Controllare di nuovo',
  },

  recovery: {
    heading: 'La Sua carta richiede attenzione',
    expiring: (amount, on, card) =>
      `È previsto un addebito di ${amount}${on}. Per allora la Sua ${card} sarà scaduta.`,
    declined: (amount, on, card) =>
      `Il pagamento di ${amount}${on} è stato rifiutato per la Sua ${card}.`,
    authentication: (amount, on, card) =>
      `La banca della Sua ${card} desidera che Lei confermi personalmente il pagamento di ${amount}${on}.`,
    on: (time) => ` (${time})`,
    cardName: (brand, last4) => `carta ${brand} che termina con ${last4}`,
    replace: 'Sostituire la carta',
    orPay: 'oppure pagare qui sotto.',
    orPayBy: (time) => `oppure pagare qui sotto, entro: ${time}.`,
    chargedAtOnce:
      'Quando aggiunge questa carta, le viene addebitato subito, più l’eventuale commissione:',
    declinedBefore: (amount) => `${amount}, prima rifiutati`,
    moved: 'Questi addebiti automatici useranno la nuova carta:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} ha bisogno di una carta per il Suo soggiorno (${arrival} – ${departure}), prenotazione ${reference}.`,
    withoutStay: (property) => `${property} ha bisogno di una Sua carta.`,
    caution: (property) =>
      `${property} non vedrà il numero della Sua carta e per ora nulla verrà addebitato.`,
    thanksHeading: 'Grazie',
    thanks: (property) => `La Sua carta è salvata per ${property}. Può chiudere questa pagina.`,
    cancelledHeading: 'Non serve alcuna carta',
    cancelled: (property) =>
      `La Sua prenotazione è cancellata, quindi ${property} non ha bisogno di una carta. Se non l’ha cancellata Lei, contatti la struttura.`,
  },
};
