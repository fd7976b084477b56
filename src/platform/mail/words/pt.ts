import type { en } from './en.ts';

/** The words of mails to guests in Portuguese. */
export const pt: typeof en = {
  facts: { refund: 'Número do reembolso', for: 'Referente a' },

  cardRequest: {
    subject: (property, reference) =>
      `Adicione um cartão para a sua estadia em ${property} (${reference})`,
    subjectWithoutStay: (property) => `Adicione um cartão para ${property}`,
    heading: 'Adicionar um cartão',
    action: 'Adicionar seu cartão',
    until: (time) => `Com este link você pode adicionar um cartão, até ${time}.`,
    unexpected: 'Se você não esperava esta mensagem, ignore-a, por favor.',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `Pagamento da sua estadia em ${property} (${reference})`,
      heading: 'Um pagamento precisa da sua atenção',
    },
    expiring: {
      subject: (property, reference) =>
        `Seu cartão para a sua estadia em ${property} (${reference})`,
      heading: 'Seu cartão vence em breve',
    },
    stay: (property, arrival, departure, reference) =>
      `Esta mensagem é sobre a sua estadia em ${property} de ${arrival} a ${departure} (${reference}).`,
    answerBy: (time) => `Por favor, substitua o cartão ou pague agora, até ${time}.`,
    chargedAtOnce:
      'Se você adicionar outro cartão, o pagamento recusado será cobrado nele imediatamente.',
    action: 'Substituir o cartão ou pagar',
    closing: (property) =>
      `Ninguém em ${property} vê o número do seu cartão. Se você já respondeu, ignore esta mensagem, por favor.`,
  },

  receipt: {
    subject: (property, reference) => `Recibo de pagamento de ${property} (${reference})`,
    heading: 'Recibo de pagamento',
    opening: (property, amount) => `${property} recebeu seu pagamento de ${amount}. Obrigado.`,
    transactionFee: 'Taxa de transação',
  },

  refund: {
    subject: (property, reference) => `Reembolso de ${property} (${reference})`,
    heading: 'Reembolso',
    opening: (property, amount) => `${property} reembolsou ${amount} a você.`,
    timing: 'Seu banco pode levar alguns dias para mostrá-lo no extrato.',
    total: 'Total reembolsado',
  },

  failedPayment: {
    subject: (property, reference) =>
      `Seu pagamento a ${property} não foi concluído (${reference})`,
    heading: 'Pagamento não realizado',
    opening: (property, amount) =>
      `${property} tentou cobrar ${amount} no seu cartão. Nada foi cobrado.`,
    noCard: 'Não há cartão para este pagamento.',
    notMade: 'O pagamento não pôde ser feito por um motivo técnico.',
    payOnline: 'Você pode pagar com este ou outro cartão na nossa página segura.',
    action: 'Pagar agora',
    contact: (property) => `Entre em contato com ${property} para pagar de outra forma.`,
  },
};
