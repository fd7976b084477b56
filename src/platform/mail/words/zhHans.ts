import type { en } from './en.ts';

/** The words of mails to guests in Chinese with simplified characters. */
export const zhHans: typeof en = {
  facts: { refund: '退款编号', for: '用途' },

  cardRequest: {
    subject: (property, reference) => `请为您在${property}的住宿添加银行卡（${reference}）`,
    subjectWithoutStay: (property) => `请为${property}添加银行卡`,
    heading: '添加银行卡',
    action: '添加您的银行卡',
    until: (time) => `您可在 ${time} 前通过此链接添加一张银行卡。`,
    unexpected: '如果您没有预料到此消息，请忽略。',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `关于您在${property}住宿的付款（${reference}）`,
      heading: '有一笔付款需要您处理',
    },
    expiring: {
      subject: (property, reference) => `关于您在${property}住宿所用的银行卡（${reference}）`,
      heading: '您的银行卡即将过期',
    },
    stay: (property, arrival, departure, reference) =>
      `此消息与您 ${arrival}至${departure}在${property}的住宿（预订编号 ${reference}）有关。`,
    answerBy: (time) => `请在 ${time} 前更换银行卡或付款。`,
    chargedAtOnce: '如果您添加另一张银行卡，将立即从该卡扣除之前被拒绝的款项。',
    action: '更换银行卡或付款',
    closing: (property) => `${property}无法看到您的卡号。如果您已处理，请忽略此消息。`,
  },

  receipt: {
    subject: (property, reference) => `${property}的付款收据（${reference}）`,
    heading: '付款收据',
    opening: (property, amount) => `${property}已收到您 ${amount} 的付款。谢谢您。`,
    transactionFee: '交易手续费',
  },

  refund: {
    subject: (property, reference) => `${property}的退款（${reference}）`,
    heading: '退款',
    opening: (property, amount) => `${property}已向您退款 ${amount}。`,
    timing: '您的银行可能需要几天时间才会在账单上显示。',
    total: '退款总额',
  },

  failedPayment: {
    subject: (property, reference) => `您向${property}的付款未成功（${reference}）`,
    heading: '付款未完成',
    opening: (property, amount) => `${property}尝试从您的卡扣款 ${amount}。未向您扣款。`,
    noCard: '此付款没有可用的银行卡。',
    notMade: '由于技术原因，未能完成付款。',
    payOnline: '您可以在我们的安全页面用此卡或其他银行卡付款。',
    action: '立即付款',
    contact: (property) => `请联系${property}，以其他方式付款。`,
  },
};
