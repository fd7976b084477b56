import type { en } from './en.ts';

const BLOCKED = 'Ihre Bank teilt mit, dass diese Karte nicht mehr verwendet werden kann.';
const WRONG_NUMBER = 'Ihre Bank kennt diese Kartennummer nicht.';
const WRONG_SECURITY_CODE = 'Der Sicherheitscode ist nicht richtig.';

/** The words in German, with the formal address. */
export const de: typeof en = {
  language: 'de',
  ownName: 'Deutsch',
  locale: 'de-DE',

  declines: {
    insufficient_funds: 'Ihre Bank teilt mit, dass das Konto nicht gedeckt ist.',
    card_velocity_exceeded: 'Das Limit der Karte ist erreicht.',
    expired_card: 'Die Karte ist abgelaufen.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'Ihre Bank muss Ihre Identität prüfen. Sie können noch einmal zahlen und die Zahlung dort bestätigen.',
    currency_not_supported: 'Die Karte kann in dieser Währung nicht belastet werden.',
    other: 'Ihre Bank hat die Zahlung ohne Angabe eines Grundes abgelehnt.',
  },

  purposes: { Deposit: 'Anzahlung', Balance: 'Zahlung', Bond: 'Kaution', Manual: 'Zahlung' },

  card: {
    endingIn: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
    withExpiry: (card, expiry) => `${card}, gültig bis ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Fehler: ${title}`,
    language: 'Sprache',
    wait: 'Bitte warten …',
    cardSafety: (property) =>
      `Ihre Kartennummer geht an das Zahlungsunternehmen. Sie wird hier nicht gespeichert, und ${property} kann sie nicht sehen.`,
    phone: 'Telefon',
    email: 'E-Mail',
    website: 'Website',
    terms: 'Bedingungen',
    taxId: 'Steuernummer',
  },

  messages: {
    foreignForm: {
      heading: 'Dieses Formular kann von hier nicht gesendet werden',
      text: 'Es wurde nichts geändert und nichts abgebucht. Bitte öffnen Sie den Link aus Ihrer Nachricht noch einmal.',
    },
    unreadable: {
      heading: 'Wir konnten das Formular nicht lesen',
      text: 'Es wurde nichts geändert und nichts abgebucht. Bitte versuchen Sie es noch einmal.',
    },
    unknownLink: {
      heading: 'Dieser Link funktioniert nicht',
      text: 'Bitte öffnen Sie noch einmal den vollständigen Link aus Ihrer Nachricht. Wenn das nicht hilft, bitten Sie die Unterkunft um einen neuen Link.',
    },
    expiredLink: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Bitte fragen Sie die Unterkunft nach einem neuen Link. Zahlungen, die Sie geleistet haben, sind sicher.',
    },
    replacedLink: {
      heading: 'Dieser Link wurde ersetzt',
      text: 'Bitte verwenden Sie den Link aus der neuesten E-Mail.',
    },
    sessionEnded: {
      heading: 'Ihre Sitzung ist abgelaufen',
      text: 'Zu Ihrer Sicherheit schließt sich diese Seite nach 30 Minuten ohne Nutzung. Bitte öffnen Sie den Link aus Ihrer Nachricht noch einmal. Cookies müssen eingeschaltet sein.',
    },
    unknownOutcome: {
      heading: 'Wir konnten nicht feststellen, was geschehen ist',
      text: 'Bitte öffnen Sie den Link aus Ihrer Nachricht noch einmal und prüfen Sie, ob es geklappt hat, bevor Sie es erneut versuchen.',
    },
    busy: {
      heading: 'Einen Moment bitte',
      text: 'Im Augenblick ist viel los. Bitte versuchen Sie es gleich noch einmal.',
    },
    failed: {
      heading: 'Etwas ist schiefgegangen',
      text: 'Bitte versuchen Sie es später noch einmal oder wenden Sie sich an die Unterkunft.',
    },
    errorReference: (text, id) => `${text} (Fehlerkennung: ${id})`,
  },

  booking: {
    back: 'Zurück zu Ihrer Buchung',
    title: 'Ihre Buchung',
    cancelledHeading: 'Ihre Buchung ist storniert',
    cancelled: (property) =>
      `Hier ist nichts zu bezahlen. Wenn Sie diese Buchung nicht storniert haben, wenden Sie sich bitte an ${property}.`,
    stay: 'Aufenthalt',
    guest: 'Gast',
    reference: 'Buchung',
    arrival: 'Anreise',
    departure: 'Abreise',
    dates: (arrival, departure) => `${arrival} bis ${departure}`,
    ahead: (days) =>
      days === 1 ? 'Ihr Aufenthalt beginnt morgen.' : `Ihr Aufenthalt beginnt in ${days} Tagen.`,
    inHouse: (departure) => `Sie sind bis zum ${departure} bei uns zu Gast.`,
    past: (departure) => `Ihr Aufenthalt endete am ${departure}.`,
    dueInHouse: 'Bitte bezahlen Sie vor Ihrer Abreise.',
    overdue: 'Diese Zahlung ist überfällig.',
  },

  amounts: {
    heading: 'Beträge',
    stay: 'Ihr Aufenthalt',
    fees: 'Kartengebühren',
    charged: 'Von Ihren Karten abgebucht',
    refunded: 'Erstattet',
    disputed: 'Bei Ihrer Bank beanstandet',
    due: 'Offen',
    overpaid: 'Zu viel bezahlt',
    ofWhichConfirming: 'Davon: wird von Ihrer Bank noch bestätigt',
    ofWhichDisputed: 'Davon: bei Ihrer Bank beanstandet',
    overpaidText: (amount, property) =>
      `Sie haben ${amount} mehr bezahlt, als Ihr Aufenthalt kostet. Bitte wenden Sie sich wegen einer Erstattung an ${property}.`,
    dueAfterRefund: (refunded, property) =>
      `${refunded} wurden Ihnen erstattet, deshalb ist dieser Teil des Preises wieder offen. Wenn die Erstattung den Preis senken sollte, wenden Sie sich bitte an ${property}, bevor Sie bezahlen.`,
  },

  scheduled: {
    heading: 'Wird automatisch abgebucht',
    line: (amount, time) => `${amount} am ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, noch keine Karte`,
    payNow:
      'Sie können auch jetzt bezahlen. Die automatische Abbuchung, die dann nicht mehr nötig ist, entfällt, sodass Sie nur einmal zahlen.',
    notNeeded: (property) =>
      `Das ist mehr, als Sie schulden. Bitte wenden Sie sich an ${property}, damit nicht doppelt abgebucht wird.`,
  },

  pay: {
    heading: 'Bezahlen',
    payInstead: 'Stattdessen jetzt bezahlen',
    nothingScheduled: 'Sie müssen nichts tun: Der Rest wird automatisch abgebucht.',
    nothingConfirming: 'Im Moment ist nichts zu bezahlen: Ihre Bank bestätigt noch eine Zahlung.',
    nothingDisputed:
      'Hier ist nichts zu bezahlen: Eine Zahlung ist bei Ihrer Bank beanstandet. Wenden Sie sich bei Fragen bitte an die Unterkunft.',
    nothingDue: 'Alles ist bezahlt. Vielen Dank.',
    intro: (amount) => `Bezahlen Sie ${amount} mit Karte, ganz oder teilweise.`,
    amountLegend: 'Betrag',
    full: (amount) => `Alles, was offen ist: ${amount}`,
    unscheduled: (amount) => `Was nicht automatisch abgebucht wird: ${amount}`,
    deposit: (amount) => `Anzahlung: ${amount}`,
    all: (amount) => `Alles, auch was automatisch abgebucht wird: ${amount}`,
    other: 'Ein anderer Betrag',
    amountIn: (currency) => `Betrag in ${currency}`,
    upTo: (amount) => `Sie können bis zu ${amount} bezahlen.`,
    cardLegend: 'Karte',
    newCard: 'Eine neue Karte',
    addCard: 'Karte hinzufügen',
    bookingPayment: 'Zahlung für die Buchung',
    cardFee: 'Kartengebühr',
    total: 'Gesamtbetrag',
    feeByCard: 'Die Gebühr hängt von der Karte ab. Sie sehen den Gesamtbetrag, bevor Sie bezahlen.',
    seeTotal: 'Sie sehen den Gesamtbetrag mit einer etwaigen Kartengebühr, bevor Sie bezahlen.',
    button: (total) => `${total} bezahlen`,
    continue: 'Weiter',
    reviewTitle: 'Prüfen und bezahlen',
    change: 'Betrag oder Karte ändern',
    replaces: 'Sie zahlen dies jetzt anstelle der automatischen Abbuchung. Danach streichen wir:',
    staysScheduled: (amount) => `${amount} werden weiterhin automatisch abgebucht.`,
  },

  payIssues: {
    amountFormat: (example) => `Geben Sie einen Betrag wie ${example} ein.`,
    amountTooMuch: (amount) => `Sie können bis zu ${amount} bezahlen.`,
    amountPrecision: 'Geben Sie einen runderen Betrag ein: Ihre Bank nimmt keinen so genauen an.',
    chooseCard: 'Wählen Sie eine Karte.',
    cancelled: 'Ihre Buchung ist storniert.',
    changed:
      'Ihre Buchung oder ihr Preis hat sich geändert. Bitte prüfen Sie die Beträge, bevor Sie bezahlen.',
    cardGone: 'Diese Karte ist nicht mehr verfügbar. Bitte wählen Sie eine andere Karte.',
    cardExpired: 'Diese Karte ist abgelaufen. Bitte fügen Sie eine andere Karte hinzu.',
    tooManyDeclines:
      'Zu viele Karten wurden abgelehnt. Bitte warten Sie zehn Minuten oder wenden Sie sich an die Unterkunft.',
    gateway:
      'Das Zahlungsunternehmen konnte die Zahlung nicht ausführen. Es wurde nichts abgebucht.',
    busy: 'Im Augenblick ist viel los. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
  },

  results: {
    paid: (amount) => `Zahlung erfolgreich: ${amount}.`,
    seeReceipt: 'Beleg ansehen',
    cardAdded: 'Karte hinzugefügt. Prüfen Sie unten den Betrag und fahren Sie fort.',
    cardAddedOnly: 'Karte hinzugefügt.',
    chargedNow: (amount) => `${amount}, zuvor abgelehnt, wurden von ihr abgebucht.`,
    confirming: (amount) => `Ihre Bank bestätigt die Zahlung von ${amount} noch.`,
    movedToIt: 'Diese automatischen Abbuchungen gehen nun auf diese Karte:',
    failedOnIt: (amount) => `Die Zahlung von ${amount} war mit dieser Karte nicht möglich.`,
    declinedHeading: 'Die Karte wurde abgelehnt',
    notCharged: 'Es wurde nichts abgebucht.',
    tryAnother: 'Versuchen Sie es mit einer anderen Karte oder rufen Sie Ihre Bank an.',
    cancelled: 'Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.',
    failed: 'Zahlung fehlgeschlagen – es wurde nichts abgebucht. Sie können noch einmal bezahlen.',
    cardUnclear:
      'Ihre Karte ist vielleicht noch nicht gespeichert. Laden Sie diese Seite in einer Minute neu. Wenn die Karte unten nicht aufgeführt ist, fügen Sie sie bitte noch einmal hinzu.',
    cardRemoved: 'Karte entfernt.',
  },

  underWay: {
    atBank: (amount) =>
      `Ihre Zahlung von ${amount} ist noch nicht abgeschlossen: Ihre Bank muss Ihre Identität prüfen.`,
    continueAtBank: 'Diese Zahlung fortsetzen oder abbrechen',
    confirming: (amount) =>
      `Ihre Zahlung von ${amount} ist noch nicht bestätigt. Bitte zahlen Sie nicht noch einmal.`,
    look: 'Stand dieser Zahlung ansehen',
  },

  cards: {
    heading: 'Hinterlegte Karten',
    none: 'Noch ist keine Karte hinterlegt.',
    givenWithBooking: (property) => `Bei der Buchung angegeben: Nur ${property} kann sie belasten.`,
    expired: 'Abgelaufen.',
    add: 'Karte hinzufügen',
    addAnother: 'Weitere Karte hinzufügen',
    remove: 'Entfernen',
    removeLabel: (card) => `${card} entfernen`,
    removeTitle: 'Diese Karte entfernen?',
    removeText: (card, property) =>
      `${property} kann ${card} dann nicht mehr belasten. Bereits geleistete Zahlungen bleiben bestehen.`,
    removeButton: 'Karte entfernen',
    keep: 'Karte behalten',
    inUse:
      'Diese Karte kann noch nicht entfernt werden: Eine automatische Abbuchung, eine Reservierung oder eine Zahlung verwendet sie. Fügen Sie zuerst eine andere Karte hinzu oder wenden Sie sich an die Unterkunft.',
    gone: 'Diese Karte gehört nicht mehr zu Ihrer Buchung.',
  },

  payments: {
    heading: 'Zahlungen',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, geplant`,
    willBeCharged: (time) => `wird am ${time} automatisch abgebucht`,
    held: 'Auf Ihrer Karte reserviert (nicht abgebucht)',
    failed: (purpose) => `${purpose} fehlgeschlagen – es wurde nichts abgebucht`,
    declined: (purpose) => `${purpose} abgelehnt – es wurde nichts abgebucht`,
    waitingForYou: (purpose) => `${purpose}, wartet auf Ihre Bestätigung bei der Bank`,
    holdBeingPlaced: 'Betrag wird reserviert (nicht abgebucht)',
    holdBeingReleased: 'Reservierung wird aufgehoben',
    confirming: (purpose) => `${purpose}, wird von Ihrer Bank bestätigt`,
    withFee: (fee) => `mit einer Kartengebühr von ${fee}`,
    receipt: 'Beleg',
    receiptOf: (amount, time) => `Beleg über ${amount}, ${time}`,
    refunded: 'Erstattung',
    refundConfirming: 'Erstattung, wird von Ihrer Bank bestätigt',
    refundFailed: 'Erstattung fehlgeschlagen: Die Unterkunft wird sich bei Ihnen melden',
  },

  cardForm: {
    title: 'Karte hinzufügen',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    expiryHint: 'Monat und Jahr, zum Beispiel 04/29',
    code: 'Sicherheitscode',
    codeHint: '3 Ziffern auf der Rückseite der Karte oder 4 auf der Vorderseite',
    holder: 'Name auf der Karte',
    submit: 'Karte hinzufügen',
    notCharged: 'Von Ihrer Karte wird noch nichts abgebucht.',
    summary: 'Bitte prüfen Sie diese Felder',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain:
      'Bitte geben Sie zu Ihrer Sicherheit die Kartennummer und den Sicherheitscode noch einmal ein.',
    tooMany:
      'Sie haben so viele Karten probiert, wie wir in einer Stunde annehmen. Bitte kommen Sie später wieder.',
    unknown:
      'Wir konnten nicht feststellen, ob die Karte hinzugefügt wurde. Es wurde nichts abgebucht. Bitte öffnen Sie den Link aus Ihrer Nachricht noch einmal und sehen Sie nach, bevor Sie es erneut versuchen.',
    failed:
      'Die Karte konnte nicht hinzugefügt werden. Ihre Bank hat sie nicht abgelehnt: Bei uns ist etwas schiefgegangen. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal oder verwenden Sie eine andere Karte.',
    declined: (reason) =>
      `Ihre Bank hat diese Karte abgelehnt. ${reason} Es wurde nichts abgebucht. Bitte prüfen Sie die Karte oder verwenden Sie eine andere.`,
    needsBank:
      'Ihre Bank hat diese Karte abgelehnt. Sie muss Ihre Identität prüfen, was auf dieser Seite nicht möglich ist. Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte oder wenden Sie sich an die Unterkunft.',
    issues: {
      cardNumber: 'Prüfen Sie die Kartennummer.',
      cardExpiry: 'Geben Sie das Datum als MM/JJ ein.',
      expired: 'Diese Karte ist abgelaufen. Bitte verwenden Sie eine andere Karte.',
      cvv: 'Geben Sie den 3- oder 4-stelligen Code ein.',
      cvvOf: (digits) => `Geben Sie den ${digits}-stelligen Code dieser Karte ein.`,
      cardHolderName: 'Geben Sie den Namen auf der Karte ein.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} bewahrt diese Karte für Ihre Buchung auf. Sie stimmen zu, dass davon abgebucht wird, was Sie hier bezahlen, sowie die automatischen Abbuchungen, die auf dieser Seite stehen.`,
    saved: (property) =>
      `Mit dem Hinzufügen dieser Karte stimmen Sie zu, dass ${property} davon abbuchen darf, was Sie für Ihren Aufenthalt schulden: die hier gezeigten automatischen Abbuchungen und was Sie mit der Unterkunft vereinbart haben.`,
    terms: (property) => `Bedingungen von ${property}`,
  },

  element: {
    needsScript:
      'Das Zahlungsunternehmen nimmt Ihre Karte in einem eigenen Formular entgegen, das JavaScript braucht. Bitte schalten Sie JavaScript für diese Seite ein oder wenden Sie sich an die Unterkunft.',
    notLoaded:
      'Das Formular konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung und laden Sie diese Seite neu.',
    loadError:
      'Das Formular konnte nicht geladen werden. Bitte versuchen Sie es später noch einmal.',
    noAnswer: 'Das Zahlungsunternehmen hat nicht geantwortet. Bitte versuchen Sie es noch einmal.',
    checkCard: 'Bitte prüfen Sie die Kartendaten.',
  },

  bank: {
    heading: 'Bestätigen Sie Ihre Identität',
    toPay:
      'Ihre Bank muss Ihre Identität prüfen. Es wird nichts abgebucht, bevor Sie die Zahlung dort bestätigen.',
    toAdd: 'Ihre Bank muss Ihre Identität prüfen. In diesem Schritt wird nichts abgebucht.',
    amount: 'Betrag',
    card: 'Karte',
    continue: 'Weiter zu Ihrer Bank',
    comesBack: 'Ihre Bank bringt Sie danach hierher zurück.',
    within: (minutes) =>
      `Bitte bestätigen Sie innerhalb ${minutes === 1 ? 'einer Minute' : `von ${minutes} Minuten`}. Danach wird die Zahlung abgebrochen.`,
    cancel: 'Diese Zahlung abbrechen',
  },

  receipt: {
    title: 'Beleg',
    heading: 'Zahlung erfolgreich',
    mailed: 'Wir senden Ihnen diesen Beleg auch per E-Mail.',
    confirmingHeading: 'Ihre Zahlung wird bestätigt',
    confirming:
      'Ihre Bank hat diese Zahlung noch nicht bestätigt. Bitte zahlen Sie nicht noch einmal: Es wird nicht doppelt abgebucht. Diese Seite sieht von selbst wieder nach.',
    checkAgain: 'Noch einmal nachsehen',
    total: 'Insgesamt abgebucht',
    totalAsked: 'Gesamtbetrag',
    refunded: 'Seither erstattet',
    card: 'Karte',
    time: 'Zeitpunkt',
    number: 'Zahlungsnummer',
    stillDue: 'Noch offen',
    print: 'Beleg drucken',
    from: 'Empfangen von',
  },

  unsure: {
    heading: 'Wir prüfen Ihre Zahlung',
    text: 'Bitte beginnen Sie keine neue Zahlung. Drücken Sie „Noch einmal nachsehen“: Wenn diese Zahlung nicht erfolgt ist, wird sie dann ausgeführt. Es wird nicht doppelt abgebucht.',
    button: 'Noch einmal nachsehen',
  },

  recovery: {
    heading: 'Ihre Karte braucht Ihre Aufmerksamkeit',
    expiring: (amount, on, card) =>
      `${amount} sollen${on} abgebucht werden. Ihre Karte (${card}) ist bis dahin abgelaufen.`,
    declined: (amount, on, card) =>
      `Die Zahlung von ${amount}${on} wurde für Ihre Karte (${card}) abgelehnt.`,
    authentication: (amount, on, card) =>
      `Die Bank Ihrer Karte (${card}) möchte, dass Sie die Zahlung von ${amount}${on} selbst bestätigen.`,
    on: (time) => ` am ${time}`,
    cardName: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
    replace: 'Karte ersetzen',
    orPay: 'oder unten bezahlen.',
    orPayBy: (time) => `oder bis ${time} unten bezahlen.`,
    chargedAtOnce:
      'Wenn Sie diese Karte hinzufügen, wird davon sofort abgebucht, gegebenenfalls mit Kartengebühr:',
    declinedBefore: (amount) => `${amount}, zuvor abgelehnt`,
    moved: 'Diese automatischen Abbuchungen gehen auf die neue Karte:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} benötigt eine Karte für Ihren Aufenthalt vom ${arrival} bis ${departure}, Buchung ${reference}.`,
    withoutStay: (property) => `${property} benötigt eine Karte von Ihnen.`,
    caution: (property) =>
      `${property} sieht Ihre Kartennummer nicht, und jetzt wird nichts abgebucht.`,
    thanksHeading: 'Vielen Dank',
    thanks: (property) =>
      `Ihre Karte ist für ${property} gespeichert. Sie können diese Seite schließen.`,
    cancelledHeading: 'Es wird keine Karte benötigt',
    cancelled: (property) =>
      `Ihre Buchung ist storniert, daher benötigt ${property} keine Karte. Wenn Sie nicht storniert haben, wenden Sie sich bitte an die Unterkunft.`,
  },
};
