import type { en } from './en.ts';

/** The words of mails to guests in Spanish. */
export const es: typeof en = {
  facts: { refund: 'Número de reembolso', for: 'Concepto' },

  cardRequest: {
    subject: (property, reference) =>
      `Añada una tarjeta para su estancia en ${property} (${reference})`,
    subjectWithoutStay: (property) => `Añada una tarjeta para ${property}`,
    heading: 'Añadir una tarjeta',
    action: 'Añadir su tarjeta',
    until: (time) => `Con este enlace puede añadir una tarjeta, hasta el ${time}.`,
    unexpected: 'Si no esperaba este mensaje, no lo tenga en cuenta.',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `Pago de su estancia en ${property} (${reference})`,
      heading: 'Un pago requiere su atención',
    },
    expiring: {
      subject: (property, reference) => `Su tarjeta para su estancia en ${property} (${reference})`,
      heading: 'Su tarjeta caduca pronto',
    },
    stay: (property, arrival, departure, reference) =>
      `Este mensaje se refiere a su estancia en ${property} del ${arrival} al ${departure} (${reference}).`,
    answerBy: (time) => `Por favor, sustituya la tarjeta o pague ahora, antes del ${time}.`,
    chargedAtOnce: 'Si añade otra tarjeta, el pago rechazado se carga en ella de inmediato.',
    action: 'Sustituir la tarjeta o pagar',
    closing: (property) =>
      `Nadie en ${property} ve el número de su tarjeta. Si ya ha respondido, no tenga en cuenta este mensaje.`,
  },

  receipt: {
    subject: (property, reference) => `Recibo de pago de ${property} (${reference})`,
    heading: 'Recibo de pago',
    opening: (property, amount) => `${property} ha recibido su pago de ${amount}. Gracias.`,
    transactionFee: 'Comisión por transacción',
  },

  refund: {
    subject: (property, reference) => `Reembolso de ${property} (${reference})`,
    heading: 'Reembolso',
    opening: (property, amount) => `${property} le ha reembolsado ${amount}.`,
    timing: 'Su banco puede tardar unos días en mostrarlo en su extracto.',
    total: 'Total reembolsado',
  },

  failedPayment: {
    subject: (property, reference) => `Su pago a ${property} no se ha realizado (${reference})`,
    heading: 'Pago no realizado',
    opening: (property, amount) =>
      `${property} intentó cargar ${amount} en su tarjeta. No se le ha cobrado nada.`,
    noCard: 'No hay ninguna tarjeta para este pago.',
    notMade: 'El pago no se pudo realizar por un motivo técnico.',
    payOnline: 'Puede pagar con esta u otra tarjeta en nuestra página segura.',
    action: 'Pagar ahora',
    contact: (property) => `Póngase en contacto con ${property} para pagar de otra forma.`,
  },
};
