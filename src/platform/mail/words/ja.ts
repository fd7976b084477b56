import type { en } from './en.ts';

/** The words of mails to guests in Japanese. */
export const ja: typeof en = {
  facts: { refund: '返金番号', for: '内容' },

  cardRequest: {
    subject: (property, reference) =>
      `${property}でのご宿泊のためのカード登録のお願い（${reference}）`,
    subjectWithoutStay: (property) => `${property}からのカード登録のお願い`,
    heading: 'カードの登録',
    action: 'カードを登録する',
    until: (time) => `このリンクから${time}までにカードを1枚登録できます。`,
    unexpected: 'このメッセージにお心当たりがない場合は、破棄してください。',
  },

  recovery: {
    declined: {
      subject: (property, reference) => `${property}でのご宿泊のお支払いについて（${reference}）`,
      heading: 'お支払いについてのお願い',
    },
    expiring: {
      subject: (property, reference) =>
        `${property}でのご宿泊のためのカードについて（${reference}）`,
      heading: 'カードの有効期限が近づいています',
    },
    stay: (property, arrival, departure, reference) =>
      `${property}でのご宿泊（${arrival}～${departure}、予約番号 ${reference}）についてのご連絡です。`,
    answerBy: (time) => `${time}までに、カードをご変更いただくか、お支払いください。`,
    chargedAtOnce:
      '別のカードを追加すると、承認されなかったお支払いがすぐにそのカードに請求されます。',
    action: 'カードの変更またはお支払い',
    closing: (property) =>
      `${property}がカード番号を見ることはありません。すでにお手続きがお済みの場合は、このメッセージを破棄してください。`,
  },

  receipt: {
    subject: (property, reference) => `${property}からの領収書（${reference}）`,
    heading: '領収書',
    opening: (property, amount) =>
      `${property}は${amount}のお支払いを受領いたしました。ありがとうございます。`,
    transactionFee: '取引手数料',
  },

  refund: {
    subject: (property, reference) => `${property}からの返金のお知らせ（${reference}）`,
    heading: '返金',
    opening: (property, amount) => `${property}から${amount}を返金いたしました。`,
    timing: '明細に反映されるまで数日かかることがあります。',
    total: '返金合計',
  },

  failedPayment: {
    subject: (property, reference) => `${property}へのお支払いが完了していません（${reference}）`,
    heading: 'お支払いが行われませんでした',
    opening: (property, amount) =>
      `${property}がカードに${amount}を請求しましたが、お支払いは行われていません。`,
    noCard: 'このお支払いのためのカードが登録されていません。',
    notMade: '技術的な理由により、お支払いを処理できませんでした。',
    payOnline: 'このカードまたは別のカードで、安全なページからお支払いいただけます。',
    action: '今すぐ支払う',
    contact: (property) => `別の方法でのお支払いについては、${property}にお問い合わせください。`,
  },
};
