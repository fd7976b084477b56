import type { en } from './en.ts';

const BLOCKED = 'カード会社によると、このカードは現在ご利用いただけません。';
const WRONG_NUMBER = 'カード会社で、このカード番号が確認できませんでした。';
const WRONG_SECURITY_CODE = 'セキュリティコードが正しくありません。';

/** The words in Japanese, in polite form. */
export const ja: typeof en = {
  language: 'ja',
  ownName: '日本語',
  locale: 'ja-JP',

  declines: {
    insufficient_funds: 'カード会社によると、口座の残高が不足しています。',
    card_velocity_exceeded: 'カードのご利用限度額に達しています。',
    expired_card: 'カードの有効期限が切れています。',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'カード会社によるご本人確認が必要です。もう一度お支払いのうえ、確認画面で承認してください。',
    currency_not_supported: 'このカードはこの通貨ではご利用いただけません。',
    other: 'カード会社がお支払いを承認しませんでした。理由は通知されていません。',
  },

  purposes: { Deposit: '内金', Balance: 'お支払い', Bond: '保証金', Manual: 'お支払い' },

  card: {
    endingIn: (brand, last4) => `${brand}（下4桁 ${last4}）`,
    withExpiry: (card, expiry) => `${card}、有効期限 ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `エラー: ${title}`,
    language: '言語',
    wait: 'お待ちください…',
    cardSafety: (property) =>
      `カード番号は決済会社に送信されます。こちらには保存されず、${property}が見ることもありません。`,
    phone: '電話',
    email: 'メール',
    website: 'ウェブサイト',
    terms: '規約',
    taxId: '税務登録番号',
  },

  messages: {
    foreignForm: {
      heading: 'このフォームはここからは送信できません',
      text: '変更もお支払いも行われていません。お手元のメッセージのリンクをもう一度開いてください。',
    },
    unreadable: {
      heading: 'フォームを読み取れませんでした',
      text: '変更もお支払いも行われていません。もう一度お試しください。',
    },
    unknownLink: {
      heading: 'このリンクは使用できません',
      text: 'お手元のメッセージのリンク全体をもう一度開いてください。それでも開けない場合は、宿泊施設に新しいリンクをご依頼ください。',
    },
    expiredLink: {
      heading: 'このリンクは期限切れです',
      text: '宿泊施設に新しいリンクをご依頼ください。これまでのお支払いは安全に記録されています。',
    },
    replacedLink: {
      heading: 'このリンクは新しいものに置き換えられました',
      text: '最新のメールのリンクをご利用ください。',
    },
    sessionEnded: {
      heading: 'セッションの有効期限が切れました',
      text: '安全のため、30分間操作がないとこのページは閉じられます。お手元のメッセージのリンクをもう一度開いてください。Cookieを有効にする必要があります。',
    },
    unknownOutcome: {
      heading: '結果を確認できませんでした',
      text: 'もう一度お試しになる前に、お手元のメッセージのリンクを開き、処理されたかどうかをご確認ください。',
    },
    busy: {
      heading: '少々お待ちください',
      text: 'ただいま混み合っています。しばらくしてからもう一度お試しください。',
    },
    failed: {
      heading: '問題が発生しました',
      text: 'しばらくしてからもう一度お試しいただくか、宿泊施設にお問い合わせください。',
    },
    errorReference: (text, id) => `${text}（エラー番号: ${id}）`,
  },

  booking: {
    back: 'ご予約に戻る',
    title: 'ご予約',
    cancelledHeading: 'ご予約はキャンセルされています',
    cancelled: (property) =>
      `ここでお支払いいただくものはありません。キャンセルにお心当たりがない場合は、${property}にお問い合わせください。`,
    stay: 'ご宿泊',
    guest: 'お客様',
    reference: '予約番号',
    arrival: 'ご到着',
    departure: 'ご出発',
    dates: (arrival, departure) => `${arrival}～${departure}`,
    ahead: (days) => (days === 1 ? 'ご宿泊は明日からです。' : `ご宿泊まであと${days}日です。`),
    inHouse: (departure) => `${departure}までご滞在中です。`,
    past: (departure) => `ご宿泊は${departure}に終了しました。`,
    dueInHouse: 'ご出発前にお支払いください。',
    overdue: 'このお支払いは期日を過ぎています。',
  },

  amounts: {
    heading: '金額',
    stay: 'ご宿泊料金',
    fees: 'カード手数料',
    charged: 'カードでのお支払い済み',
    refunded: '返金済み',
    disputed: 'カード会社に異議申し立て中',
    due: '未払い額',
    overpaid: '過払い額',
    ofWhichConfirming: 'うち、カード会社で確認中',
    ofWhichDisputed: 'うち、カード会社に異議申し立て中',
    overpaidText: (amount, property) =>
      `ご宿泊料金より${amount}多くお支払いいただいています。返金については${property}にお問い合わせください。`,
    dueAfterRefund: (refunded, property) =>
      `${refunded}を返金したため、この分が再び未払いとなっています。料金の値下げのための返金だった場合は、お支払いの前に${property}にお問い合わせください。`,
  },

  scheduled: {
    heading: '自動でお支払いいただく金額',
    line: (amount, time) => `${amount}（${time}）`,
    onCard: (line, card) => `${line}、${card}`,
    withoutCard: (line) => `${line}、カード未登録`,
    payNow:
      '今お支払いいただくこともできます。その場合、不要になった自動のお支払いは取り消されるため、お支払いは一度だけです。',
    notNeeded: (property) =>
      `未払い額を超えています。二重のお支払いを避けるため、${property}にお問い合わせください。`,
  },

  pay: {
    heading: 'お支払い',
    payInstead: '今すぐ支払う',
    nothingScheduled: 'お手続きは不要です。残りは自動でお支払いいただきます。',
    nothingConfirming: '現在お支払いいただくものはありません。カード会社でお支払いを確認中です。',
    nothingDisputed:
      'ここでお支払いいただくものはありません。カード会社に異議申し立て中のお支払いがあります。ご不明な点は宿泊施設にお問い合わせください。',
    nothingDue: 'すべてお支払い済みです。ありがとうございます。',
    intro: (amount) => `${amount}の全額または一部をカードでお支払いください。`,
    amountLegend: '金額',
    full: (amount) => `未払いの全額: ${amount}`,
    unscheduled: (amount) => `自動でお支払いいただかない分: ${amount}`,
    deposit: (amount) => `内金: ${amount}`,
    all: (amount) => `自動でお支払いいただく分も含めた全額: ${amount}`,
    other: '別の金額',
    amountIn: (currency) => `金額（${currency}）`,
    upTo: (amount) => `${amount}までお支払いいただけます。`,
    cardLegend: 'カード',
    newCard: '新しいカード',
    addCard: 'カードを追加',
    bookingPayment: 'ご予約のお支払い',
    cardFee: 'カード手数料',
    total: 'お支払い合計',
    feeByCard: '手数料はカードによって異なります。お支払いの前に合計金額をご確認いただけます。',
    seeTotal: 'お支払いの前に、カード手数料を含む合計金額をご確認いただけます。',
    button: (total) => `${total}を支払う`,
    continue: '次へ',
    reviewTitle: '確認とお支払い',
    change: '金額またはカードを変更',
    replaces: '自動のお支払いに代えて今お支払いいただきます。その後、次のお支払いを取り消します:',
    staysScheduled: (amount) => `${amount}は引き続き自動でお支払いいただきます。`,
  },

  payIssues: {
    amountFormat: (example) => `${example}のように金額を入力してください。`,
    amountTooMuch: (amount) => `${amount}までお支払いいただけます。`,
    amountPrecision: '端数のない金額を入力してください。カード会社はこの端数を受け付けません。',
    chooseCard: 'カードを選択してください。',
    cancelled: 'ご予約はキャンセルされています。',
    changed: 'ご予約または料金が変更されました。お支払いの前に金額をご確認ください。',
    cardGone: 'このカードはご利用いただけなくなりました。別のカードを選択してください。',
    cardExpired: 'このカードは有効期限が切れています。別のカードを追加してください。',
    tooManyDeclines:
      '承認されなかったカードが多すぎます。10分ほどお待ちいただくか、宿泊施設にお問い合わせください。',
    gateway: '決済会社でお支払いを処理できませんでした。お支払いは行われていません。',
    busy: 'ただいま混み合っています。お支払いは行われていません。もう一度お試しください。',
  },

  results: {
    paid: (amount) => `お支払いが完了しました: ${amount}`,
    seeReceipt: '領収書を見る',
    cardAdded: 'カードを追加しました。下の金額をご確認のうえ、お進みください。',
    cardAddedOnly: 'カードを追加しました。',
    chargedNow: (amount) => `前回承認されなかった${amount}を、このカードでお支払いいただきました。`,
    confirming: (amount) => `カード会社で${amount}のお支払いを確認中です。`,
    movedToIt: '次の自動のお支払いにこのカードが使われます:',
    failedOnIt: (amount) => `${amount}のお支払いはこのカードでは処理できませんでした。`,
    declinedHeading: 'カードが承認されませんでした',
    notCharged: 'お支払いは行われていません。',
    tryAnother: '別のカードをお試しいただくか、カード会社にお電話ください。',
    cancelled: 'お支払いは取り消されました。お支払いは行われていません。',
    failed: 'お支払いに失敗しました。お支払いは行われていません。もう一度お支払いいただけます。',
    cardUnclear:
      'カードがまだ保存されていない可能性があります。1分ほどしてからこのページを再読み込みしてください。下に表示されない場合は、もう一度追加してください。',
    cardRemoved: 'カードを削除しました。',
  },

  underWay: {
    atBank: (amount) =>
      `${amount}のお支払いは完了していません。カード会社によるご本人確認が必要です。`,
    continueAtBank: 'このお支払いを続けるか取り消す',
    confirming: (amount) =>
      `${amount}のお支払いはまだ確認されていません。もう一度お支払いにならないでください。`,
    look: 'このお支払いの状況を見る',
  },

  cards: {
    heading: '登録済みのカード',
    none: 'カードはまだ登録されていません。',
    givenWithBooking: (property) =>
      `ご予約時にお知らせいただいたカード: ${property}だけが使用できます。`,
    expired: '有効期限切れ。',
    add: 'カードを追加',
    addAnother: '別のカードを追加',
    remove: '削除',
    removeLabel: (card) => `${card}を削除`,
    removeTitle: 'このカードを削除しますか？',
    removeText: (card, property) =>
      `${property}は${card}を使用できなくなります。これまでのお支払いは変わりません。`,
    removeButton: 'カードを削除',
    keep: 'カードを残す',
    inUse:
      'このカードはまだ削除できません。自動のお支払い、仮押さえ、またはお支払いに使用されています。先に別のカードを追加するか、宿泊施設にお問い合わせください。',
    gone: 'このカードはご予約に登録されていません。',
  },

  payments: {
    heading: 'お支払い履歴',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}（予定）`,
    willBeCharged: (time) => `${time}に自動でお支払いいただきます`,
    held: 'カードでの仮押さえ（お支払いではありません）',
    failed: (purpose) => `${purpose}の失敗 – お支払いは行われていません`,
    declined: (purpose) => `${purpose}の不承認 – お支払いは行われていません`,
    waitingForYou: (purpose) => `${purpose}（カード会社でのお客様の確認待ち）`,
    holdBeingPlaced: '仮押さえの処理中（お支払いではありません）',
    holdBeingReleased: '仮押さえの解除中',
    confirming: (purpose) => `${purpose}（カード会社で確認中）`,
    withFee: (fee) => `うちカード手数料 ${fee}`,
    receipt: '領収書',
    receiptOf: (amount, time) => `領収書: ${amount}、${time}`,
    refunded: '返金',
    refundConfirming: '返金（カード会社で確認中）',
    refundFailed: '返金に失敗しました。宿泊施設からご連絡いたします',
  },

  cardForm: {
    title: 'カードを追加',
    number: 'カード番号',
    expiry: '有効期限',
    expiryHint: '月と年（例: 04/29）',
    code: 'セキュリティコード',
    codeHint: 'カード裏面の3桁、または表面の4桁の数字',
    holder: 'カードの名義',
    submit: 'カードを追加する',
    notCharged: 'まだカードでのお支払いは行われません。',
    summary: '次の項目をご確認ください',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain: '安全のため、カード番号とセキュリティコードをもう一度入力してください。',
    tooMany:
      '1時間に受け付けられるカードの数に達しました。しばらくしてからもう一度お試しください。',
    unknown:
      'カードが追加されたかどうか確認できませんでした。お支払いは行われていません。もう一度お試しになる前に、お手元のメッセージのリンクを開いてご確認ください。',
    failed:
      'カードを追加できませんでした。カード会社が拒否したのではなく、こちらで問題が発生しました。お支払いは行われていません。もう一度お試しいただくか、別のカードをご利用ください。',
    declined: (reason) =>
      `カード会社がこのカードを承認しませんでした。${reason}お支払いは行われていません。カードをご確認いただくか、別のカードをご利用ください。`,
    needsBank:
      'カード会社がこのカードを承認しませんでした。ご本人確認が必要ですが、このページでは行えません。お支払いは行われていません。別のカードをご利用いただくか、宿泊施設にお問い合わせください。',
    issues: {
      cardNumber: 'カード番号をご確認ください。',
      cardExpiry: '月/年（MM/YY）の形で入力してください。',
      expired: 'このカードは有効期限が切れています。別のカードをご利用ください。',
      cvv: '3桁または4桁のコードを入力してください。',
      cvvOf: (digits) => `このカードの${digits}桁のコードを入力してください。`,
      cardHolderName: 'カードに記載されている名義を入力してください。',
    },
  },

  agreement: {
    payment: (property) =>
      `${property}はご予約のためにこのカードを保存します。ここでのお支払いと、このページに表示されている自動のお支払いに使用されることに同意いただいたものとします。`,
    saved: (property) =>
      `このカードを追加すると、ご宿泊に関する未払い額、すなわちここに表示されている自動のお支払いと宿泊施設との取り決めによる金額を、${property}がこのカードに請求することに同意いただいたものとします。`,
    terms: (property) => `${property}の規約`,
  },

  element: {
    needsScript:
      'カードの入力には決済会社のフォームを使用し、JavaScriptが必要です。このページでJavaScriptを有効にするか、宿泊施設にお問い合わせください。',
    notLoaded:
      'フォームを読み込めませんでした。接続をご確認のうえ、このページを再読み込みしてください。',
    loadError: 'フォームを読み込めませんでした。しばらくしてからもう一度お試しください。',
    noAnswer: '決済会社から応答がありませんでした。もう一度お試しください。',
    checkCard: 'カードの情報をご確認ください。',
  },

  bank: {
    heading: 'ご本人確認',
    toPay:
      'カード会社によるご本人確認が必要です。確認画面で承認されるまで、お支払いは行われません。',
    toAdd: 'カード会社によるご本人確認が必要です。この手続きではお支払いは行われません。',
    amount: '金額',
    card: 'カード',
    continue: 'カード会社の画面へ進む',
    comesBack: '確認後、このページに戻ります。',
    within: (minutes) =>
      `${minutes}分以内に承認してください。それを過ぎるとお支払いは取り消されます。`,
    cancel: 'このお支払いを取り消す',
  },

  receipt: {
    title: '領収書',
    heading: 'お支払いが完了しました',
    mailed: 'この領収書はメールでもお送りします。',
    confirmingHeading: 'お支払いを確認中です',
    confirming:
      'カード会社による確認がまだ完了していません。もう一度お支払いにならないでください。二重に請求されることはありません。このページは自動的に更新されます。',
    checkAgain: 'もう一度確認する',
    total: 'お支払い合計',
    totalAsked: 'お支払い合計（確認中）',
    refunded: 'その後の返金',
    card: 'カード',
    time: '日時',
    number: 'お支払い番号',
    stillDue: '未払い額',
    print: 'この領収書を印刷',
    from: '受領者',
  },

  unsure: {
    heading: 'お支払いを確認しています',
    text: '新しいお支払いを始めないでください。「もう一度確認する」を押してください。このお支払いが行われていなければ、その時に処理されます。二重に請求されることはありません。',
    button: 'もう一度確認する',
  },

  recovery: {
    heading: 'カードについてのお願い',
    expiring: (amount, on, card) =>
      `${amount}のお支払い${on}が予定されていますが、${card}はその時点で有効期限が切れています。`,
    declined: (amount, on, card) => `${amount}のお支払い${on}は、${card}で承認されませんでした。`,
    authentication: (amount, on, card) =>
      `${card}のカード会社が、${amount}のお支払い${on}についてお客様ご本人の確認を求めています。`,
    on: (time) => `（${time}）`,
    cardName: (brand, last4) => `${brand}カード（下4桁 ${last4}）`,
    replace: 'カードを変更する',
    orPay: 'または、下でお支払いください。',
    orPayBy: (time) => `または、${time}までに下でお支払いください。`,
    chargedAtOnce:
      'このカードを追加すると、次の金額（カード手数料がかかる場合は加算）がすぐに請求されます:',
    declinedBefore: (amount) => `${amount}（前回承認されなかったもの）`,
    moved: '次の自動のお支払いに新しいカードが使われます:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property}でのご宿泊（${arrival}～${departure}、予約番号 ${reference}）のため、カードのご登録が必要です。`,
    withoutStay: (property) => `${property}からカードのご登録をお願いしています。`,
    caution: (property) =>
      `${property}がカード番号を見ることはなく、今お支払いが行われることもありません。`,
    thanksHeading: 'ありがとうございます',
    thanks: (property) =>
      `カードは${property}のために保存されました。このページは閉じてかまいません。`,
    cancelledHeading: 'カードは必要ありません',
    cancelled: (property) =>
      `ご予約はキャンセルされているため、${property}にカードは必要ありません。キャンセルにお心当たりがない場合は、宿泊施設にお問い合わせください。`,
  },
};
