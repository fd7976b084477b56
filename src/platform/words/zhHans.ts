import type { en } from './en.ts';

const BLOCKED = '您的银行表示，此卡已不能使用。';
const WRONG_NUMBER = '您的银行无法识别此卡号。';
const WRONG_SECURITY_CODE = '安全码不正确。';

/** The words in Chinese with simplified characters, with the polite address. */
export const zhHans: typeof en = {
  language: 'zh-Hans',
  ownName: '简体中文',
  locale: 'zh-CN',

  declines: {
    insufficient_funds: '您的银行表示，账户余额不足。',
    card_velocity_exceeded: '此卡已达到限额。',
    expired_card: '此卡已过期。',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required: '您的银行需要验证您的身份。您可以重新付款，并在银行页面确认。',
    currency_not_supported: '此卡不支持以该货币付款。',
    other: '您的银行拒绝了付款，且未说明原因。',
  },

  purposes: { Deposit: '订金', Balance: '付款', Bond: '押金', Manual: '付款' },

  card: {
    endingIn: (brand, last4) => `${brand}（尾号 ${last4}）`,
    withExpiry: (card, expiry) => `${card}，有效期至 ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `错误：${title}`,
    language: '语言',
    wait: '请稍候…',
    cardSafety: (property) => `您的卡号将发送给支付公司。此处不会保存卡号，${property}也无法看到。`,
    phone: '电话',
    email: '电子邮件',
    website: '网站',
    terms: '条款',
    taxId: '税号',
  },

  messages: {
    foreignForm: {
      heading: '无法从此处提交表单',
      text: '未作任何更改，也未扣款。请重新打开您收到的消息中的链接。',
    },
    unreadable: {
      heading: '我们无法读取表单',
      text: '未作任何更改，也未扣款。请重试。',
    },
    unknownLink: {
      heading: '此链接无效',
      text: '请重新打开您收到的消息中的完整链接。如果仍然无效，请向住宿方索取新的链接。',
    },
    expiredLink: {
      heading: '此链接已过期',
      text: '请向住宿方索取新的链接。您已完成的付款均已妥善记录。',
    },
    replacedLink: {
      heading: '此链接已被替换',
      text: '请使用最新一封电子邮件中的链接。',
    },
    sessionEnded: {
      heading: '您的会话已超时',
      text: '为了您的安全，此页面在 30 分钟无操作后会关闭。请重新打开您收到的消息中的链接。必须启用 Cookie。',
    },
    unknownOutcome: {
      heading: '我们无法确认结果',
      text: '再次尝试之前，请重新打开您收到的消息中的链接，查看是否已成功。',
    },
    busy: {
      heading: '请稍等片刻',
      text: '目前请求较多，请稍后重试。',
    },
    failed: {
      heading: '出现问题',
      text: '请稍后重试，或联系住宿方。',
    },
    errorReference: (text, id) => `${text}（错误编号：${id}）`,
  },

  booking: {
    back: '返回您的预订',
    title: '您的预订',
    cancelledHeading: '您的预订已取消',
    cancelled: (property) => `此处无需付款。如果您没有取消此预订，请联系${property}。`,
    stay: '住宿',
    guest: '客人',
    reference: '预订编号',
    arrival: '入住日期',
    departure: '退房日期',
    dates: (arrival, departure) => `${arrival}至${departure}`,
    ahead: (days) => (days === 1 ? '您将于明天入住。' : `距离您入住还有 ${days} 天。`),
    inHouse: (departure) => `您正在入住，退房日期为${departure}。`,
    past: (departure) => `您的住宿已于${departure}结束。`,
    dueInHouse: '请在离店前付款。',
    overdue: '此付款已逾期。',
  },

  amounts: {
    heading: '金额',
    stay: '您的住宿',
    fees: '银行卡手续费',
    charged: '已从您的卡扣款',
    refunded: '已退款',
    disputed: '正在与您的银行争议',
    due: '待付',
    overpaid: '多付金额',
    ofWhichConfirming: '其中，正由您的银行确认',
    ofWhichDisputed: '其中，正在与您的银行争议',
    overpaidText: (amount, property) => `您比住宿费用多付了 ${amount}。请联系${property}办理退款。`,
    dueAfterRefund: (refunded, property) =>
      `已向您退款 ${refunded}，因此这部分费用重新变为待付。如果退款是为了降低价格，请在付款前联系${property}。`,
  },

  scheduled: {
    heading: '将自动扣款',
    line: (amount, time) => `${amount}，${time}`,
    onCard: (line, card) => `${line}，${card}`,
    withoutCard: (line) => `${line}，尚无银行卡`,
    payNow: '您也可以现在付款。届时不再需要的自动扣款将被取消，您只需支付一次。',
    notNeeded: (property) => `这超过了您的应付金额。请联系${property}，以免重复扣款。`,
  },

  pay: {
    heading: '付款',
    payInstead: '改为现在付款',
    nothingScheduled: '您无需任何操作：余款将自动扣款。',
    nothingConfirming: '目前无需付款：您的银行仍在确认一笔付款。',
    nothingDisputed: '此处无需付款：有一笔付款正在与您的银行争议。如有疑问，请联系住宿方。',
    nothingDue: '已全部付清。谢谢您。',
    intro: (amount) => `请用银行卡支付 ${amount}，可全额或部分支付。`,
    amountLegend: '金额',
    full: (amount) => `全部待付金额：${amount}`,
    unscheduled: (amount) => `不会自动扣款的部分：${amount}`,
    deposit: (amount) => `订金：${amount}`,
    all: (amount) => `全部金额，包括将自动扣款的部分：${amount}`,
    other: '其他金额',
    amountIn: (currency) => `金额（${currency}）`,
    upTo: (amount) => `您最多可支付 ${amount}。`,
    cardLegend: '银行卡',
    newCard: '新的银行卡',
    addCard: '添加银行卡',
    bookingPayment: '预订付款',
    cardFee: '银行卡手续费',
    total: '应付总额',
    feeByCard: '手续费因卡而异。付款前您会看到总额。',
    seeTotal: '付款前您会看到总额，包括可能的银行卡手续费。',
    button: (total) => `支付 ${total}`,
    continue: '继续',
    reviewTitle: '核对并付款',
    change: '更改金额或银行卡',
    replaces: '您现在支付此款以代替自动扣款。随后我们将取消：',
    staysScheduled: (amount) => `${amount} 仍将自动扣款。`,
  },

  payIssues: {
    amountFormat: (example) => `请输入金额，例如 ${example}。`,
    amountTooMuch: (amount) => `您最多可支付 ${amount}。`,
    amountPrecision: '请输入更整的金额：您的银行不接受如此精确的金额。',
    chooseCard: '请选择银行卡。',
    cancelled: '您的预订已取消。',
    changed: '您的预订或其价格已变更。付款前请核对金额。',
    cardGone: '此卡已不可用。请选择其他银行卡。',
    cardExpired: '此卡已过期。请添加其他银行卡。',
    tooManyDeclines: '被拒绝的银行卡过多。请等待十分钟，或联系住宿方。',
    gateway: '支付公司未能完成付款。未向您扣款。',
    busy: '目前请求较多。未向您扣款。请重试。',
  },

  results: {
    paid: (amount) => `付款成功：${amount}。`,
    seeReceipt: '查看收据',
    cardAdded: '已添加银行卡。请核对下方金额并继续。',
    cardAddedOnly: '已添加银行卡。',
    chargedNow: (amount) => `之前被拒绝的 ${amount} 已从此卡扣款。`,
    confirming: (amount) => `您的银行仍在确认 ${amount} 的付款。`,
    movedToIt: '以下自动扣款将使用此卡：',
    failedOnIt: (amount) => `无法用此卡支付 ${amount}。`,
    declinedHeading: '银行卡被拒绝',
    notCharged: '未向您扣款。',
    tryAnother: '请尝试其他银行卡，或致电您的银行。',
    cancelled: '付款已取消。未向您扣款。',
    failed: '付款失败，未向您扣款。您可以重新付款。',
    cardUnclear: '您的银行卡可能尚未保存。请在一分钟后刷新此页面。如果下方未列出该卡，请重新添加。',
    cardRemoved: '已移除银行卡。',
  },

  underWay: {
    atBank: (amount) => `您 ${amount} 的付款尚未完成：您的银行需要验证您的身份。`,
    continueAtBank: '继续或取消此付款',
    confirming: (amount) => `您 ${amount} 的付款尚未确认。请勿重复付款。`,
    look: '查看此付款的状态',
  },

  cards: {
    heading: '已保存的银行卡',
    none: '尚无银行卡。',
    givenWithBooking: (property) => `预订时提供：只有${property}可以用此卡扣款。`,
    expired: '已过期。',
    add: '添加银行卡',
    addAnother: '添加其他银行卡',
    remove: '移除',
    removeLabel: (card) => `移除 ${card}`,
    removeTitle: '要移除此卡吗？',
    removeText: (card, property) => `${property}将无法再用 ${card} 扣款。已完成的付款不受影响。`,
    removeButton: '移除银行卡',
    keep: '保留银行卡',
    inUse:
      '此卡暂时无法移除：自动扣款、预授权或付款正在使用此卡。请先添加其他银行卡，或联系住宿方。',
    gone: '此卡已不在您的预订中。',
  },

  payments: {
    heading: '付款记录',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}（已安排）`,
    willBeCharged: (time) => `将于 ${time} 自动扣款`,
    held: '卡上预授权（未扣款）',
    failed: (purpose) => `${purpose}失败，未向您扣款`,
    declined: (purpose) => `${purpose}被拒绝，未向您扣款`,
    waitingForYou: (purpose) => `${purpose}，等待您在银行确认`,
    holdBeingPlaced: '正在办理预授权（未扣款）',
    holdBeingReleased: '正在解除预授权',
    confirming: (purpose) => `${purpose}，正由您的银行确认`,
    withFee: (fee) => `含银行卡手续费 ${fee}`,
    receipt: '收据',
    receiptOf: (amount, time) => `收据：${amount}，${time}`,
    refunded: '退款',
    refundConfirming: '退款，正由您的银行确认',
    refundFailed: '退款失败：住宿方将与您联系',
  },

  cardForm: {
    title: '添加银行卡',
    number: '卡号',
    expiry: '有效期',
    expiryHint: '月份和年份，例如 04/29',
    code: '安全码',
    codeHint: '卡背面的 3 位数字，或正面的 4 位数字',
    holder: '持卡人姓名',
    submit: '添加此卡',
    notCharged: '暂时不会从您的卡扣款。',
    summary: '请检查以下栏目',
    inField: (field, issue) => `${field}：${issue}`,
    typeAgain: '为了您的安全，请重新输入卡号和安全码。',
    tooMany: '您尝试的银行卡数量已达到一小时内的上限。请稍后再来。',
    unknown:
      '我们无法确认银行卡是否已添加。未向您扣款。再次尝试之前，请重新打开您收到的消息中的链接进行查看。',
    failed:
      '未能添加银行卡。并非您的银行拒绝，而是我们这边出现了问题。未向您扣款。请重试，或使用其他银行卡。',
    declined: (reason) =>
      `您的银行拒绝了此卡。${reason}未向您扣款。请检查银行卡，或使用其他银行卡。`,
    needsBank:
      '您的银行拒绝了此卡。银行需要验证您的身份，而此页面无法进行验证。未向您扣款。请使用其他银行卡，或联系住宿方。',
    issues: {
      cardNumber: '请检查卡号。',
      cardExpiry: '请按 MM/YY（月/年）输入日期。',
      expired: '此卡已过期。请使用其他银行卡。',
      cvv: '请输入 3 位或 4 位安全码。',
      cvvOf: (digits) => `请输入此卡的 ${digits} 位安全码。`,
      cardHolderName: '请输入卡上的姓名。',
    },
  },

  agreement: {
    payment: (property) =>
      `${property}将为您的预订保存此卡。您同意用此卡支付您在此处的付款，以及此页面所示的自动扣款。`,
    saved: (property) =>
      `添加此卡即表示您同意${property}用此卡收取您的住宿应付款项：此处所示的自动扣款，以及您与住宿方约定的款项。`,
    terms: (property) => `${property}的条款`,
  },

  element: {
    needsScript:
      '支付公司通过其自己的表单收取您的卡信息，该表单需要 JavaScript。请为此页面启用 JavaScript，或联系住宿方。',
    notLoaded: '无法加载表单。请检查您的网络连接并刷新此页面。',
    loadError: '无法加载表单。请稍后重试。',
    noAnswer: '支付公司没有响应。请重试。',
    checkCard: '请检查银行卡信息。',
  },

  bank: {
    heading: '确认您的身份',
    toPay: '您的银行需要验证您的身份。在您于银行页面确认付款之前，不会扣款。',
    toAdd: '您的银行需要验证您的身份。此步骤不会扣款。',
    amount: '金额',
    card: '银行卡',
    continue: '前往您的银行',
    comesBack: '完成后，您的银行会带您回到此处。',
    within: (minutes) => `请在 ${minutes} 分钟内确认。超时后付款将被取消。`,
    cancel: '取消此付款',
  },

  receipt: {
    title: '收据',
    heading: '付款成功',
    mailed: '我们也会通过电子邮件将此收据发送给您。',
    confirmingHeading: '正在确认您的付款',
    confirming: '您的银行尚未确认此付款。请勿重复付款：不会重复扣款。此页面会自动更新。',
    checkAgain: '再次查看',
    total: '扣款总额',
    totalAsked: '应付总额',
    refunded: '此后已退款',
    card: '银行卡',
    time: '时间',
    number: '付款编号',
    stillDue: '仍待付',
    print: '打印此收据',
    from: '收款方',
  },

  unsure: {
    heading: '我们正在核实您的付款',
    text: '请勿开始新的付款。请点击“再次查看”：如果此付款尚未完成，届时将会完成。不会重复扣款。',
    button: '再次查看',
  },

  recovery: {
    heading: '您的银行卡需要处理',
    expiring: (amount, on, card) => `计划扣款 ${amount}${on}。届时您的${card}将已过期。`,
    declined: (amount, on, card) => `${amount}${on}的付款被您的${card}拒绝。`,
    authentication: (amount, on, card) =>
      `您的${card}的发卡银行希望您亲自确认 ${amount}${on}的付款。`,
    on: (time) => `（${time}）`,
    cardName: (brand, last4) => `${brand} 卡（尾号 ${last4}）`,
    replace: '更换银行卡',
    orPay: '或在下方付款。',
    orPayBy: (time) => `或在 ${time} 前于下方付款。`,
    chargedAtOnce: '添加此卡后，将立即从此卡扣款，另加可能的银行卡手续费：',
    declinedBefore: (amount) => `${amount}（之前被拒绝）`,
    moved: '以下自动扣款将使用新的银行卡：',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property}需要您为 ${arrival}至${departure}的住宿（预订编号 ${reference}）提供银行卡。`,
    withoutStay: (property) => `${property}需要您提供银行卡。`,
    caution: (property) => `${property}不会看到您的卡号，现在也不会扣款。`,
    thanksHeading: '谢谢您',
    thanks: (property) => `您的银行卡已为${property}保存。您可以关闭此页面。`,
    cancelledHeading: '无需银行卡',
    cancelled: (property) =>
      `您的预订已取消，因此${property}不需要银行卡。如果您没有取消，请联系住宿方。`,
  },
};
