import type { en } from './en.ts';

/** The words of mails to guests in Korean. */
export const ko: typeof en = {
  facts: { refund: '환불 번호', for: '내용' },

  cardRequest: {
    subject: (property, reference) => `${property} 숙박을 위한 카드 등록 요청(${reference})`,
    subjectWithoutStay: (property) => `${property} 카드 등록 요청`,
    heading: '카드 등록',
    action: '카드 등록하기',
    until: (time) => `이 링크로 ${time}까지 카드 한 장을 등록하실 수 있습니다.`,
    unexpected: '예상하지 못한 메시지라면 무시해 주십시오.',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `${property} 숙박 결제 안내(${reference})`,
      heading: '결제를 확인해 주십시오',
    },
    expiring: {
      subject: (property, reference) => `${property} 숙박을 위한 카드 안내(${reference})`,
      heading: '카드의 유효기간이 곧 만료됩니다',
    },
    stay: (property, arrival, departure, reference) =>
      `${property} 숙박(${arrival} ~ ${departure}, 예약 번호 ${reference})에 관한 안내입니다.`,
    answerBy: (time) => `${time}까지 카드를 교체하시거나 결제해 주십시오.`,
    chargedAtOnce: '다른 카드를 추가하시면 거절된 금액이 그 카드로 즉시 결제됩니다.',
    action: '카드 교체 또는 결제하기',
    closing: (property) =>
      `숙소(${property})에서는 카드 번호를 볼 수 없습니다. 이미 처리하셨다면 이 메시지를 무시해 주십시오.`,
  },

  receipt: {
    subject: (property, reference) => `${property} 결제 영수증(${reference})`,
    heading: '결제 영수증',
    opening: (property, amount) =>
      `숙소(${property})에서 ${amount} 결제를 확인했습니다. 감사합니다.`,
    transactionFee: '거래 수수료',
  },

  refund: {
    subject: (property, reference) => `${property} 환불 안내(${reference})`,
    heading: '환불',
    opening: (property, amount) => `숙소(${property})에서 ${amount} 환불해 드렸습니다.`,
    timing: '명세서에 표시되기까지 며칠이 걸릴 수 있습니다.',
    total: '총 환불 금액',
  },

  failedPayment: {
    subject: (property, reference) => `${property} 결제가 완료되지 않았습니다(${reference})`,
    heading: '결제되지 않았습니다',
    opening: (property, amount) =>
      `숙소(${property})에서 카드로 ${amount} 결제를 시도했으나 결제되지 않았습니다.`,
    noCard: '이 결제에 사용할 카드가 없습니다.',
    notMade: '기술적인 이유로 결제할 수 없었습니다.',
    payOnline: '이 카드 또는 다른 카드로 안전한 페이지에서 결제하실 수 있습니다.',
    action: '지금 결제하기',
    contact: (property) => `다른 방법으로 결제하시려면 숙소(${property})에 문의해 주십시오.`,
  },
};
