import type { en } from './en.ts';

const BLOCKED = '카드사에 따르면 이 카드는 더 이상 사용할 수 없습니다.';
const WRONG_NUMBER = '카드사에서 이 카드 번호를 확인할 수 없습니다.';
const WRONG_SECURITY_CODE = '보안 코드가 올바르지 않습니다.';

/** The words in Korean, in polite form. */
export const ko: typeof en = {
  language: 'ko',
  ownName: '한국어',
  locale: 'ko-KR',

  declines: {
    insufficient_funds: '카드사에 따르면 계좌 잔액이 부족합니다.',
    card_velocity_exceeded: '카드 한도에 도달했습니다.',
    expired_card: '카드 유효기간이 지났습니다.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      '카드사의 본인 확인이 필요합니다. 다시 결제하신 후 카드사에서 확인해 주십시오.',
    currency_not_supported: '이 카드는 해당 통화로 결제할 수 없습니다.',
    other: '카드사에서 결제를 거절했으며 사유를 알리지 않았습니다.',
  },

  purposes: { Deposit: '선불금', Balance: '결제', Bond: '보증금', Manual: '결제' },

  card: {
    endingIn: (brand, last4) => `${brand}(끝자리 ${last4})`,
    withExpiry: (card, expiry) => `${card}, 유효기간 ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `오류: ${title}`,
    language: '언어',
    wait: '잠시만 기다려 주십시오…',
    cardSafety: (property) =>
      `카드 번호는 결제 회사로 전송됩니다. 여기에 저장되지 않으며, 숙소(${property})에서도 볼 수 없습니다.`,
    phone: '전화',
    email: '이메일',
    website: '웹사이트',
    terms: '약관',
    taxId: '사업자등록번호',
  },

  messages: {
    foreignForm: {
      heading: '여기에서는 이 양식을 보낼 수 없습니다',
      text: '변경되거나 결제된 것은 없습니다. 받으신 메시지의 링크를 다시 열어 주십시오.',
    },
    unreadable: {
      heading: '양식을 읽을 수 없습니다',
      text: '변경되거나 결제된 것은 없습니다. 다시 시도해 주십시오.',
    },
    unknownLink: {
      heading: '이 링크는 사용할 수 없습니다',
      text: '받으신 메시지의 전체 링크를 다시 열어 주십시오. 그래도 되지 않으면 숙소에 새 링크를 요청해 주십시오.',
    },
    expiredLink: {
      heading: '링크가 만료되었습니다',
      text: '숙소에 새 링크를 요청해 주십시오. 이미 하신 결제는 안전하게 기록되어 있습니다.',
    },
    replacedLink: {
      heading: '이 링크는 새 링크로 대체되었습니다',
      text: '가장 최근 이메일의 링크를 이용해 주십시오.',
    },
    sessionEnded: {
      heading: '세션이 만료되었습니다',
      text: '안전을 위해 30분 동안 사용하지 않으면 이 페이지가 닫힙니다. 받으신 메시지의 링크를 다시 열어 주십시오. 쿠키를 허용해야 합니다.',
    },
    unknownOutcome: {
      heading: '결과를 확인할 수 없습니다',
      text: '다시 시도하기 전에 받으신 메시지의 링크를 다시 열어 처리되었는지 확인해 주십시오.',
    },
    busy: {
      heading: '잠시만 기다려 주십시오',
      text: '지금은 이용이 많습니다. 잠시 후 다시 시도해 주십시오.',
    },
    failed: {
      heading: '문제가 발생했습니다',
      text: '나중에 다시 시도하시거나 숙소에 문의해 주십시오.',
    },
    errorReference: (text, id) => `${text} (오류 번호: ${id})`,
  },

  booking: {
    back: '예약으로 돌아가기',
    title: '예약 내용',
    cancelledHeading: '예약이 취소되었습니다',
    cancelled: (property) =>
      `여기에서 결제하실 금액은 없습니다. 예약을 취소하지 않으셨다면 숙소(${property})에 문의해 주십시오.`,
    stay: '숙박',
    guest: '고객',
    reference: '예약 번호',
    arrival: '체크인',
    departure: '체크아웃',
    dates: (arrival, departure) => `${arrival} ~ ${departure}`,
    ahead: (days) => (days === 1 ? '내일부터 숙박하십니다.' : `숙박까지 ${days}일 남았습니다.`),
    inHouse: (departure) => `${departure}까지 숙박 중이십니다.`,
    past: (departure) => `숙박이 ${departure}에 종료되었습니다.`,
    dueInHouse: '체크아웃 전에 결제해 주십시오.',
    overdue: '결제 기한이 지났습니다.',
  },

  amounts: {
    heading: '금액',
    stay: '숙박 요금',
    fees: '카드 수수료',
    charged: '카드로 결제된 금액',
    refunded: '환불 금액',
    disputed: '카드사에 이의 제기 중',
    due: '미결제 금액',
    overpaid: '초과 결제 금액',
    ofWhichConfirming: '이 중 카드사에서 확인 중',
    ofWhichDisputed: '이 중 카드사에 이의 제기 중',
    overpaidText: (amount, property) =>
      `숙박 요금보다 ${amount} 더 결제하셨습니다. 환불에 관해서는 숙소(${property})에 문의해 주십시오.`,
    dueAfterRefund: (refunded, property) =>
      `${refunded} 환불되어 이 금액이 다시 미결제 상태입니다. 요금 인하를 위한 환불이었다면 결제하기 전에 숙소(${property})에 문의해 주십시오.`,
  },

  scheduled: {
    heading: '자동 결제 예정',
    line: (amount, time) => `${amount}, ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, 카드 없음`,
    payNow:
      '지금 결제하실 수도 있습니다. 이 경우 필요 없어진 자동 결제는 취소되므로 한 번만 결제됩니다.',
    notNeeded: (property) =>
      `미결제 금액보다 많습니다. 이중 결제를 피하려면 숙소(${property})에 문의해 주십시오.`,
  },

  pay: {
    heading: '결제',
    payInstead: '지금 결제하기',
    nothingScheduled: '따로 하실 일은 없습니다. 나머지는 자동으로 결제됩니다.',
    nothingConfirming: '지금 결제하실 금액은 없습니다. 카드사에서 결제를 확인하고 있습니다.',
    nothingDisputed:
      '여기에서 결제하실 금액은 없습니다. 카드사에 이의 제기 중인 결제가 있습니다. 궁금하신 점은 숙소에 문의해 주십시오.',
    nothingDue: '모두 결제되었습니다. 감사합니다.',
    intro: (amount) => `${amount} 전액 또는 일부를 카드로 결제해 주십시오.`,
    amountLegend: '금액',
    full: (amount) => `미결제 금액 전체: ${amount}`,
    unscheduled: (amount) => `자동 결제되지 않는 금액: ${amount}`,
    deposit: (amount) => `선불금: ${amount}`,
    all: (amount) => `자동 결제 예정 금액을 포함한 전체: ${amount}`,
    other: '다른 금액',
    amountIn: (currency) => `금액(${currency})`,
    upTo: (amount) => `최대 ${amount}까지 결제하실 수 있습니다.`,
    cardLegend: '카드',
    newCard: '새 카드',
    addCard: '카드 추가',
    bookingPayment: '예약 결제 금액',
    cardFee: '카드 수수료',
    total: '총 결제 금액',
    feeByCard: '수수료는 카드에 따라 다릅니다. 결제 전에 총액을 확인하실 수 있습니다.',
    seeTotal: '결제 전에 카드 수수료를 포함한 총액을 확인하실 수 있습니다.',
    button: (total) => `${total} 결제`,
    continue: '계속',
    reviewTitle: '확인 및 결제',
    change: '금액 또는 카드 변경',
    replaces: '자동 결제 대신 지금 결제합니다. 그 후 다음 결제가 취소됩니다:',
    staysScheduled: (amount) => `${amount} 금액은 그대로 자동 결제됩니다.`,
  },

  payIssues: {
    amountFormat: (example) => `${example}와 같이 금액을 입력해 주십시오.`,
    amountTooMuch: (amount) => `최대 ${amount}까지 결제하실 수 있습니다.`,
    amountPrecision:
      '끝자리를 정리한 금액을 입력해 주십시오. 카드사에서 이 단위의 금액은 받지 않습니다.',
    chooseCard: '카드를 선택해 주십시오.',
    cancelled: '예약이 취소되었습니다.',
    changed: '예약 또는 요금이 변경되었습니다. 결제하기 전에 금액을 확인해 주십시오.',
    cardGone: '이 카드는 더 이상 사용할 수 없습니다. 다른 카드를 선택해 주십시오.',
    cardExpired: '이 카드는 유효기간이 지났습니다. 다른 카드를 추가해 주십시오.',
    tooManyDeclines:
      '거절된 카드가 너무 많습니다. 10분 후 다시 시도하시거나 숙소에 문의해 주십시오.',
    gateway: '결제 회사에서 결제를 처리하지 못했습니다. 결제되지 않았습니다.',
    busy: '지금은 이용이 많습니다. 결제되지 않았습니다. 다시 시도해 주십시오.',
  },

  results: {
    paid: (amount) => `결제가 완료되었습니다: ${amount}`,
    seeReceipt: '영수증 보기',
    cardAdded: '카드가 추가되었습니다. 아래 금액을 확인하고 계속해 주십시오.',
    cardAddedOnly: '카드가 추가되었습니다.',
    chargedNow: (amount) => `이전에 거절된 금액(${amount})이 이 카드로 결제되었습니다.`,
    confirming: (amount) => `카드사에서 결제(${amount})를 확인하고 있습니다.`,
    movedToIt: '다음 자동 결제에 이 카드가 사용됩니다:',
    failedOnIt: (amount) => `이 카드로 ${amount} 금액을 결제할 수 없었습니다.`,
    declinedHeading: '카드가 거절되었습니다',
    notCharged: '결제되지 않았습니다.',
    tryAnother: '다른 카드를 사용하시거나 카드사에 문의해 주십시오.',
    cancelled: '결제가 취소되었습니다. 결제되지 않았습니다.',
    failed: '결제에 실패했습니다. 결제되지 않았습니다. 다시 결제하실 수 있습니다.',
    cardUnclear:
      '카드가 아직 저장되지 않았을 수 있습니다. 1분 후 이 페이지를 새로 고쳐 주십시오. 아래에 카드가 없으면 다시 추가해 주십시오.',
    cardRemoved: '카드가 삭제되었습니다.',
  },

  underWay: {
    atBank: (amount) =>
      `결제(${amount})가 아직 끝나지 않았습니다. 카드사의 본인 확인이 필요합니다.`,
    continueAtBank: '이 결제를 계속하거나 취소',
    confirming: (amount) => `결제(${amount})가 아직 확인되지 않았습니다. 다시 결제하지 마십시오.`,
    look: '이 결제의 진행 상황 보기',
  },

  cards: {
    heading: '등록된 카드',
    none: '아직 등록된 카드가 없습니다.',
    givenWithBooking: (property) =>
      `예약할 때 알려 주신 카드: 숙소(${property})만 사용할 수 있습니다.`,
    expired: '유효기간 만료.',
    add: '카드 추가',
    addAnother: '다른 카드 추가',
    remove: '삭제',
    removeLabel: (card) => `${card} 삭제`,
    removeTitle: '이 카드를 삭제하시겠습니까?',
    removeText: (card, property) =>
      `숙소(${property})에서 더 이상 ${card} 카드로 결제할 수 없습니다. 이미 하신 결제는 그대로 유지됩니다.`,
    removeButton: '카드 삭제',
    keep: '카드 유지',
    inUse:
      '이 카드는 아직 삭제할 수 없습니다. 자동 결제, 가승인 또는 결제에 사용되고 있습니다. 먼저 다른 카드를 추가하시거나 숙소에 문의해 주십시오.',
    gone: '이 카드는 더 이상 예약에 등록되어 있지 않습니다.',
  },

  payments: {
    heading: '결제 내역',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, 예정`,
    willBeCharged: (time) => `${time}에 자동 결제됩니다`,
    held: '카드 가승인(결제되지 않음)',
    failed: (purpose) => `${purpose} 실패 – 결제되지 않았습니다`,
    declined: (purpose) => `${purpose} 거절 – 결제되지 않았습니다`,
    waitingForYou: (purpose) => `${purpose}, 카드사에서 고객님의 확인을 기다리는 중`,
    holdBeingPlaced: '가승인 처리 중(결제되지 않음)',
    holdBeingReleased: '가승인 해제 중',
    confirming: (purpose) => `${purpose}, 카드사에서 확인 중`,
    withFee: (fee) => `카드 수수료 ${fee} 포함`,
    receipt: '영수증',
    receiptOf: (amount, time) => `영수증: ${amount}, ${time}`,
    refunded: '환불',
    refundConfirming: '환불, 카드사에서 확인 중',
    refundFailed: '환불 실패: 숙소에서 연락드리겠습니다',
  },

  cardForm: {
    title: '카드 추가',
    number: '카드 번호',
    expiry: '유효기간',
    expiryHint: '월과 연도, 예: 04/29',
    code: '보안 코드',
    codeHint: '카드 뒷면의 3자리 또는 앞면의 4자리 숫자',
    holder: '카드에 적힌 이름',
    submit: '카드 추가하기',
    notCharged: '아직 카드로 결제되지 않습니다.',
    summary: '다음 항목을 확인해 주십시오',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain: '안전을 위해 카드 번호와 보안 코드를 다시 입력해 주십시오.',
    tooMany: '1시간 동안 등록할 수 있는 카드 수를 초과했습니다. 나중에 다시 시도해 주십시오.',
    unknown:
      '카드가 추가되었는지 확인할 수 없습니다. 결제되지 않았습니다. 다시 시도하기 전에 받으신 메시지의 링크를 열어 확인해 주십시오.',
    failed:
      '카드를 추가할 수 없었습니다. 카드사가 거절한 것이 아니라 저희 쪽에 문제가 발생했습니다. 결제되지 않았습니다. 다시 시도하시거나 다른 카드를 사용해 주십시오.',
    declined: (reason) =>
      `카드사에서 이 카드를 거절했습니다. ${reason} 결제되지 않았습니다. 카드를 확인하시거나 다른 카드를 사용해 주십시오.`,
    needsBank:
      '카드사에서 이 카드를 거절했습니다. 본인 확인이 필요하지만 이 페이지에서는 할 수 없습니다. 결제되지 않았습니다. 다른 카드를 사용하시거나 숙소에 문의해 주십시오.',
    issues: {
      cardNumber: '카드 번호를 확인해 주십시오.',
      cardExpiry: '날짜를 MM/YY(월/연도)로 입력해 주십시오.',
      expired: '이 카드는 유효기간이 지났습니다. 다른 카드를 사용해 주십시오.',
      cvv: '3자리 또는 4자리 코드를 입력해 주십시오.',
      cvvOf: (digits) => `이 카드의 ${digits}자리 코드를 입력해 주십시오.`,
      cardHolderName: '카드에 적힌 이름을 입력해 주십시오.',
    },
  },

  agreement: {
    payment: (property) =>
      `숙소(${property})에서 예약을 위해 이 카드를 보관합니다. 여기에서 결제하시는 금액과 이 페이지에 표시된 자동 결제에 이 카드를 사용하는 데 동의하시는 것으로 간주합니다.`,
    saved: (property) =>
      `이 카드를 추가하시면 숙소(${property})에서 숙박과 관련하여 지불하실 금액, 즉 여기에 표시된 자동 결제와 숙소와 합의하신 금액을 이 카드로 결제하는 데 동의하시는 것으로 간주합니다.`,
    terms: (property) => `${property} 약관`,
  },

  element: {
    needsScript:
      '결제 회사는 자체 양식으로 카드를 받으며, 이를 위해 JavaScript가 필요합니다. 이 페이지에서 JavaScript를 켜시거나 숙소에 문의해 주십시오.',
    notLoaded: '양식을 불러올 수 없습니다. 연결을 확인하고 이 페이지를 새로 고쳐 주십시오.',
    loadError: '양식을 불러올 수 없습니다. 나중에 다시 시도해 주십시오.',
    noAnswer: '결제 회사에서 응답이 없습니다. 다시 시도해 주십시오.',
    checkCard: '카드 정보를 확인해 주십시오.',
  },

  bank: {
    heading: '본인 확인',
    toPay:
      '카드사의 본인 확인이 필요합니다. 카드사에서 결제를 확인하시기 전에는 결제되지 않습니다.',
    toAdd: '카드사의 본인 확인이 필요합니다. 이 단계에서는 결제되지 않습니다.',
    amount: '금액',
    card: '카드',
    continue: '카드사로 계속',
    comesBack: '확인이 끝나면 이 페이지로 돌아옵니다.',
    within: (minutes) => `${minutes}분 안에 확인해 주십시오. 그 후에는 결제가 취소됩니다.`,
    cancel: '이 결제 취소',
  },

  receipt: {
    title: '영수증',
    heading: '결제가 완료되었습니다',
    mailed: '이 영수증을 이메일로도 보내 드립니다.',
    confirmingHeading: '결제를 확인하고 있습니다',
    confirming:
      '카드사에서 아직 이 결제를 확인하지 않았습니다. 다시 결제하지 마십시오. 이중으로 결제되지 않습니다. 이 페이지는 자동으로 다시 확인합니다.',
    checkAgain: '다시 확인',
    total: '총 결제 금액',
    totalAsked: '결제할 총액',
    refunded: '이후 환불된 금액',
    card: '카드',
    time: '일시',
    number: '결제 번호',
    stillDue: '남은 미결제 금액',
    print: '영수증 인쇄',
    from: '수령인',
  },

  unsure: {
    heading: '결제를 확인하고 있습니다',
    text: '새로운 결제를 시작하지 마십시오. “다시 확인”을 눌러 주십시오. 이 결제가 이루어지지 않았다면 그때 처리됩니다. 이중으로 결제되지 않습니다.',
    button: '다시 확인',
  },

  recovery: {
    heading: '카드를 확인해 주십시오',
    expiring: (amount, on, card) =>
      `${amount} 결제${on}가 예정되어 있습니다. 그때는 ${card} 카드의 유효기간이 지나 있습니다.`,
    declined: (amount, on, card) => `${card} 카드로 ${amount} 결제${on}가 거절되었습니다.`,
    authentication: (amount, on, card) =>
      `${card} 카드의 카드사가 ${amount} 결제${on}를 고객님이 직접 확인하기를 요청합니다.`,
    on: (time) => `(${time})`,
    cardName: (brand, last4) => `${brand}(끝자리 ${last4})`,
    replace: '카드 교체',
    orPay: '또는 아래에서 결제해 주십시오.',
    orPayBy: (time) => `또는 ${time}까지 아래에서 결제해 주십시오.`,
    chargedAtOnce:
      '이 카드를 추가하면 다음 금액이 카드 수수료가 있는 경우 이를 더하여 즉시 결제됩니다:',
    declinedBefore: (amount) => `${amount}, 이전에 거절됨`,
    moved: '다음 자동 결제에 새 카드가 사용됩니다:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} 숙박(${arrival} ~ ${departure}, 예약 번호 ${reference})을 위해 카드가 필요합니다.`,
    withoutStay: (property) => `숙소(${property})에서 고객님의 카드를 요청합니다.`,
    caution: (property) =>
      `숙소(${property})에서는 카드 번호를 볼 수 없으며, 지금은 결제되지 않습니다.`,
    thanksHeading: '감사합니다',
    thanks: (property) =>
      `숙소(${property})를 위해 카드가 저장되었습니다. 이 페이지를 닫으셔도 됩니다.`,
    cancelledHeading: '카드가 필요하지 않습니다',
    cancelled: (property) =>
      `예약이 취소되어 숙소(${property})에 카드가 필요하지 않습니다. 취소하지 않으셨다면 숙소에 문의해 주십시오.`,
  },
};
