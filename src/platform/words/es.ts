import type { en } from './en.ts';

const BLOCKED = 'Su banco indica que esta tarjeta ya no se puede utilizar.';
const WRONG_NUMBER = 'Su banco no reconoce este número de tarjeta.';
const WRONG_SECURITY_CODE = 'El código de seguridad no es correcto.';

/** The words in Spanish, with the formal address. */
export const es: typeof en = {
  language: 'es',
  ownName: 'Español',
  locale: 'es-ES',

  declines: {
    insufficient_funds: 'Su banco indica que no hay saldo suficiente en la cuenta.',
    card_velocity_exceeded: 'La tarjeta ha alcanzado su límite.',
    expired_card: 'La tarjeta ha caducado.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'Su banco debe verificar su identidad. Puede volver a pagar y confirmarlo allí.',
    currency_not_supported: 'No se puede hacer un cargo a la tarjeta en esta moneda.',
    other: 'Su banco ha rechazado el pago sin indicar el motivo.',
  },

  purposes: { Deposit: 'Anticipo', Balance: 'Pago', Bond: 'Fianza', Manual: 'Pago' },

  card: {
    endingIn: (brand, last4) => `${brand} terminada en ${last4}`,
    withExpiry: (card, expiry) => `${card}, caduca en ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Error: ${title}`,
    language: 'Idioma',
    wait: 'Espere, por favor…',
    cardSafety: (property) =>
      `El número de su tarjeta se envía a la empresa de pagos. No se guarda aquí y ${property} no puede verlo.`,
    phone: 'Teléfono',
    email: 'Correo electrónico',
    website: 'Sitio web',
    terms: 'Condiciones',
    taxId: 'NIF',
  },

  messages: {
    foreignForm: {
      heading: 'Este formulario no se puede enviar desde aquí',
      text: 'No se ha cambiado nada ni se le ha cobrado nada. Abra de nuevo el enlace de su mensaje, por favor.',
    },
    unreadable: {
      heading: 'No hemos podido leer el formulario',
      text: 'No se ha cambiado nada ni se le ha cobrado nada. Inténtelo de nuevo, por favor.',
    },
    unknownLink: {
      heading: 'Este enlace no funciona',
      text: 'Abra de nuevo el enlace completo de su mensaje, por favor. Si no funciona, pida un enlace nuevo al alojamiento.',
    },
    expiredLink: {
      heading: 'Este enlace ha caducado',
      text: 'Pida un enlace nuevo al alojamiento, por favor. Los pagos que ha hecho están a salvo.',
    },
    replacedLink: {
      heading: 'Este enlace se ha sustituido',
      text: 'Utilice el enlace del correo electrónico más reciente, por favor.',
    },
    sessionEnded: {
      heading: 'Su sesión ha caducado',
      text: 'Por su seguridad, esta página se cierra tras 30 minutos sin uso. Abra de nuevo el enlace de su mensaje, por favor. Las cookies deben estar activadas.',
    },
    unknownOutcome: {
      heading: 'No hemos podido confirmar qué ha ocurrido',
      text: 'Abra de nuevo el enlace de su mensaje y compruebe si ha funcionado antes de volver a intentarlo, por favor.',
    },
    busy: {
      heading: 'Espere un momento, por favor',
      text: 'Ahora mismo hay mucha actividad. Vuelva a intentarlo en breve, por favor.',
    },
    failed: {
      heading: 'Algo ha salido mal',
      text: 'Vuelva a intentarlo más tarde o póngase en contacto con el alojamiento, por favor.',
    },
    errorReference: (text, id) => `${text} (Referencia del error: ${id})`,
  },

  booking: {
    back: 'Volver a su reserva',
    title: 'Su reserva',
    cancelledHeading: 'Su reserva está cancelada',
    cancelled: (property) =>
      `Aquí no hay nada que pagar. Si usted no canceló esta reserva, póngase en contacto con ${property}.`,
    stay: 'Estancia',
    guest: 'Huésped',
    reference: 'Reserva',
    arrival: 'Llegada',
    departure: 'Salida',
    dates: (arrival, departure) => `del ${arrival} al ${departure}`,
    ahead: (days) =>
      days === 1 ? 'Su estancia empieza mañana.' : `Su estancia empieza dentro de ${days} días.`,
    inHouse: (departure) => `Se aloja con nosotros hasta el ${departure}.`,
    past: (departure) => `Su estancia terminó el ${departure}.`,
    dueInHouse: 'Pague antes de su salida, por favor.',
    overdue: 'Este pago está vencido.',
  },

  amounts: {
    heading: 'Importes',
    stay: 'Su estancia',
    fees: 'Comisiones por tarjeta',
    charged: 'Cargado a sus tarjetas',
    refunded: 'Reembolsado',
    disputed: 'Reclamado ante su banco',
    due: 'Pendiente',
    overpaid: 'Pagado de más',
    ofWhichConfirming: 'De ello, pendiente de confirmación por su banco',
    ofWhichDisputed: 'De ello, reclamado ante su banco',
    overpaidText: (amount, property) =>
      `Ha pagado ${amount} más de lo que cuesta su estancia. Póngase en contacto con ${property} para el reembolso.`,
    dueAfterRefund: (refunded, property) =>
      `Se le reembolsaron ${refunded}, por lo que esta parte del precio vuelve a estar pendiente. Si el reembolso era para rebajar el precio, póngase en contacto con ${property} antes de pagar.`,
  },

  scheduled: {
    heading: 'Se cargará automáticamente',
    line: (amount, time) => `${amount} el ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, aún sin tarjeta`,
    payNow:
      'También puede pagar ahora. En ese caso cancelamos el cargo automático que ya no haga falta, para que pague una sola vez.',
    notNeeded: (property) =>
      `Es más de lo que debe. Póngase en contacto con ${property} para que no se le cobre dos veces.`,
  },

  pay: {
    heading: 'Pagar',
    payInstead: 'Pagar ahora',
    nothingScheduled: 'No tiene que hacer nada: el resto se carga automáticamente.',
    nothingConfirming: 'Ahora no hay nada que pagar: su banco todavía está confirmando un pago.',
    nothingDisputed:
      'Aquí no hay nada que pagar: un pago está reclamado ante su banco. Si tiene preguntas, póngase en contacto con el alojamiento.',
    nothingDue: 'Todo está pagado. Gracias.',
    intro: (amount) => `Pague ${amount} con tarjeta, en su totalidad o en parte.`,
    amountLegend: 'Importe',
    full: (amount) => `Todo lo pendiente: ${amount}`,
    unscheduled: (amount) => `Lo que no se carga automáticamente: ${amount}`,
    deposit: (amount) => `Anticipo: ${amount}`,
    all: (amount) => `Todo, también lo que se carga automáticamente: ${amount}`,
    other: 'Otro importe',
    amountIn: (currency) => `Importe en ${currency}`,
    upTo: (amount) => `Puede pagar hasta ${amount}.`,
    cardLegend: 'Tarjeta',
    newCard: 'Una tarjeta nueva',
    addCard: 'Añadir una tarjeta',
    bookingPayment: 'Pago de la reserva',
    cardFee: 'Comisión por tarjeta',
    total: 'Total a pagar',
    feeByCard: 'La comisión depende de la tarjeta. Verá el total antes de pagar.',
    seeTotal: 'Verá el total, con la comisión por tarjeta si la hay, antes de pagar.',
    button: (total) => `Pagar ${total}`,
    continue: 'Continuar',
    reviewTitle: 'Comprobar y pagar',
    change: 'Cambiar el importe o la tarjeta',
    replaces: 'Paga esto ahora en lugar del cargo automático. Después cancelamos:',
    staysScheduled: (amount) => `${amount} se seguirán cargando automáticamente.`,
  },

  payIssues: {
    amountFormat: (example) => `Introduzca un importe como ${example}.`,
    amountTooMuch: (amount) => `Puede pagar hasta ${amount}.`,
    amountPrecision: 'Introduzca un importe más redondo: su banco no acepta uno tan exacto.',
    chooseCard: 'Elija una tarjeta.',
    cancelled: 'Su reserva está cancelada.',
    changed:
      'Su reserva o su precio ha cambiado. Compruebe los importes antes de pagar, por favor.',
    cardGone: 'Esta tarjeta ya no está disponible. Elija otra, por favor.',
    cardExpired: 'Esta tarjeta ha caducado. Añada otra, por favor.',
    tooManyDeclines:
      'Se han rechazado demasiadas tarjetas. Espere diez minutos o póngase en contacto con el alojamiento, por favor.',
    gateway: 'La empresa de pagos no pudo realizar el pago. No se le ha cobrado nada.',
    busy: 'Ahora mismo hay mucha actividad. No se le ha cobrado nada. Inténtelo de nuevo, por favor.',
  },

  results: {
    paid: (amount) => `Pago realizado: ${amount}.`,
    seeReceipt: 'Ver el recibo',
    cardAdded: 'Tarjeta añadida. Compruebe el importe más abajo y continúe.',
    cardAddedOnly: 'Tarjeta añadida.',
    chargedNow: (amount) => `Se han cargado en ella ${amount}, que antes se habían rechazado.`,
    confirming: (amount) => `Su banco todavía está confirmando el pago de ${amount}.`,
    movedToIt: 'Estos cargos automáticos se harán en esta tarjeta:',
    failedOnIt: (amount) => `El pago de ${amount} no se pudo hacer con esta tarjeta.`,
    declinedHeading: 'La tarjeta ha sido rechazada',
    notCharged: 'No se le ha cobrado nada.',
    tryAnother: 'Pruebe con otra tarjeta o llame a su banco.',
    cancelled: 'El pago se ha cancelado. No se le ha cobrado nada.',
    failed: 'El pago ha fallado: no se le ha cobrado nada. Puede volver a pagar.',
    cardUnclear:
      'Es posible que su tarjeta aún no esté guardada. Vuelva a cargar esta página dentro de un minuto. Si no aparece más abajo, añádala de nuevo, por favor.',
    cardRemoved: 'Tarjeta eliminada.',
  },

  underWay: {
    atBank: (amount) =>
      `Su pago de ${amount} no ha terminado: su banco debe verificar su identidad.`,
    continueAtBank: 'Continuar o cancelar este pago',
    confirming: (amount) =>
      `Su pago de ${amount} aún no está confirmado. No vuelva a pagar, por favor.`,
    look: 'Ver el estado de este pago',
  },

  cards: {
    heading: 'Tarjetas guardadas',
    none: 'Todavía no hay ninguna tarjeta.',
    givenWithBooking: (property) =>
      `Facilitada con la reserva: solo ${property} puede hacer cargos en ella.`,
    expired: 'Caducada.',
    add: 'Añadir una tarjeta',
    addAnother: 'Añadir otra tarjeta',
    remove: 'Eliminar',
    removeLabel: (card) => `Eliminar ${card}`,
    removeTitle: '¿Eliminar esta tarjeta?',
    removeText: (card, property) =>
      `${property} ya no podrá hacer cargos en ${card}. Los pagos ya hechos con ella no cambian.`,
    removeButton: 'Eliminar la tarjeta',
    keep: 'Conservar la tarjeta',
    inUse:
      'Esta tarjeta aún no se puede eliminar: la usa un cargo automático, una retención o un pago. Añada antes otra tarjeta o póngase en contacto con el alojamiento.',
    gone: 'Esta tarjeta ya no está en su reserva.',
  },

  payments: {
    heading: 'Pagos',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, programado`,
    willBeCharged: (time) => `se cargará automáticamente el ${time}`,
    held: 'Importe retenido en su tarjeta (sin cargo)',
    failed: (purpose) => `${purpose}: ha fallado, no se le ha cobrado nada`,
    declined: (purpose) => `${purpose}: rechazado, no se le ha cobrado nada`,
    waitingForYou: (purpose) => `${purpose}, a la espera de que lo confirme con su banco`,
    holdBeingPlaced: 'Reteniendo el importe (sin cargo)',
    holdBeingReleased: 'Liberando el importe retenido',
    confirming: (purpose) => `${purpose}, pendiente de confirmación por su banco`,
    withFee: (fee) => `con una comisión por tarjeta de ${fee}`,
    receipt: 'Recibo',
    receiptOf: (amount, time) => `Recibo de ${amount}, ${time}`,
    refunded: 'Reembolso',
    refundConfirming: 'Reembolso, pendiente de confirmación por su banco',
    refundFailed: 'El reembolso ha fallado: el alojamiento se pondrá en contacto con usted',
  },

  cardForm: {
    title: 'Añadir una tarjeta',
    number: 'Número de tarjeta',
    expiry: 'Fecha de caducidad',
    expiryHint: 'Mes y año, por ejemplo 04/29',
    code: 'Código de seguridad',
    codeHint: '3 cifras en el reverso de la tarjeta, o 4 en el anverso',
    holder: 'Nombre en la tarjeta',
    submit: 'Añadir la tarjeta',
    notCharged: 'Todavía no se hará ningún cargo en su tarjeta.',
    summary: 'Compruebe estos campos, por favor',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain:
      'Por su seguridad, introduzca de nuevo el número de tarjeta y el código de seguridad, por favor.',
    tooMany: 'Ha probado tantas tarjetas como aceptamos en una hora. Vuelva más tarde, por favor.',
    unknown:
      'No hemos podido confirmar si la tarjeta se ha añadido. No se le ha cobrado nada. Abra de nuevo el enlace de su mensaje para comprobarlo antes de volver a intentarlo.',
    failed:
      'No se ha podido añadir la tarjeta. Su banco no la ha rechazado: algo ha salido mal por nuestra parte. No se le ha cobrado nada. Inténtelo de nuevo o utilice otra tarjeta, por favor.',
    declined: (reason) =>
      `Su banco ha rechazado esta tarjeta. ${reason} No se le ha cobrado nada. Compruebe la tarjeta o utilice otra, por favor.`,
    needsBank:
      'Su banco ha rechazado esta tarjeta. Debe verificar su identidad, y esta página no puede solicitarlo. No se le ha cobrado nada. Utilice otra tarjeta o póngase en contacto con el alojamiento, por favor.',
    issues: {
      cardNumber: 'Compruebe el número de tarjeta.',
      cardExpiry: 'Introduzca la fecha como MM/AA.',
      expired: 'Esta tarjeta ha caducado. Utilice otra, por favor.',
      cvv: 'Introduzca el código de 3 o 4 cifras.',
      cvvOf: (digits) => `Introduzca el código de ${digits} cifras de esta tarjeta.`,
      cardHolderName: 'Introduzca el nombre que figura en la tarjeta.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} conserva esta tarjeta para su reserva. Usted acepta que se cargue en ella lo que paga aquí y los cargos automáticos que se muestran en esta página.`,
    saved: (property) =>
      `Al añadir esta tarjeta, acepta que ${property} cargue en ella lo que deba por su estancia: los cargos automáticos que se muestran aquí y lo que haya acordado con el alojamiento.`,
    terms: (property) => `Condiciones de ${property}`,
  },

  element: {
    needsScript:
      'La empresa de pagos recoge su tarjeta en su propio formulario, que necesita JavaScript. Active JavaScript para esta página o póngase en contacto con el alojamiento, por favor.',
    notLoaded:
      'No se ha podido cargar el formulario. Compruebe su conexión y vuelva a cargar esta página, por favor.',
    loadError: 'No se ha podido cargar el formulario. Inténtelo más tarde, por favor.',
    noAnswer: 'La empresa de pagos no ha respondido. Inténtelo de nuevo, por favor.',
    checkCard: 'Compruebe los datos de la tarjeta, por favor.',
  },

  bank: {
    heading: 'Confirme su identidad',
    toPay:
      'Su banco debe verificar su identidad. No se le cobra nada hasta que confirme allí el pago.',
    toAdd: 'Su banco debe verificar su identidad. En este paso no se le cobra nada.',
    amount: 'Importe',
    card: 'Tarjeta',
    continue: 'Continuar a su banco',
    comesBack: 'Después, su banco le traerá de vuelta aquí.',
    within: (minutes) =>
      `Confírmelo en ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}, por favor. Después, el pago se cancela.`,
    cancel: 'Cancelar este pago',
  },

  receipt: {
    title: 'Recibo',
    heading: 'Pago realizado',
    mailed: 'También le enviamos este recibo por correo electrónico.',
    confirmingHeading: 'Su pago se está confirmando',
    confirming:
      'Su banco aún no ha confirmado este pago. No vuelva a pagar, por favor: no se le cobrará dos veces. Esta página lo comprueba de nuevo por sí sola.',
    checkAgain: 'Comprobar de nuevo',
    total: 'Total cobrado',
    totalAsked: 'Total a pagar',
    refunded: 'Reembolsado desde entonces',
    card: 'Tarjeta',
    time: 'Fecha y hora',
    number: 'Número de pago',
    stillDue: 'Pendiente',
    print: 'Imprimir este recibo',
    from: 'Recibido por',
  },

  unsure: {
    heading: 'Estamos comprobando su pago',
    text: 'No inicie un pago nuevo, por favor. Pulse «Comprobar de nuevo»: si este pago no se hizo, se hará entonces. No se le cobrará dos veces.',
    button: 'Comprobar de nuevo',
  },

  recovery: {
    heading: 'Su tarjeta requiere su atención',
    expiring: (amount, on, card) =>
      `Se van a cargar ${amount}${on}. Su ${card} habrá caducado para entonces.`,
    declined: (amount, on, card) => `El pago de ${amount}${on} fue rechazado para su ${card}.`,
    authentication: (amount, on, card) =>
      `El banco de su ${card} desea que usted mismo confirme el pago de ${amount}${on}.`,
    on: (time) => ` el ${time}`,
    cardName: (brand, last4) => `tarjeta ${brand} terminada en ${last4}`,
    replace: 'Sustituir la tarjeta',
    orPay: 'o pagar más abajo.',
    orPayBy: (time) => `o pagar más abajo, antes del ${time}.`,
    chargedAtOnce:
      'Al añadir esta tarjeta, se carga en ella de inmediato, más la comisión por tarjeta si la hay:',
    declinedBefore: (amount) => `${amount}, rechazados antes`,
    moved: 'Estos cargos automáticos se harán en la tarjeta nueva:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} necesita una tarjeta para su estancia del ${arrival} al ${departure}, reserva ${reference}.`,
    withoutStay: (property) => `${property} necesita una tarjeta suya.`,
    caution: (property) =>
      `${property} no verá el número de su tarjeta y ahora no se le cobrará nada.`,
    thanksHeading: 'Gracias',
    thanks: (property) => `Su tarjeta está guardada para ${property}. Puede cerrar esta página.`,
    cancelledHeading: 'No se necesita ninguna tarjeta',
    cancelled: (property) =>
      `Su reserva está cancelada, así que ${property} no necesita ninguna tarjeta. Si usted no la canceló, póngase en contacto con el alojamiento.`,
  },
};
