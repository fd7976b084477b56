import type { en } from './en.ts';

const BLOCKED = 'Seu banco informa que este cartão não pode mais ser usado.';
const WRONG_NUMBER = 'Seu banco não reconhece este número de cartão.';
const WRONG_SECURITY_CODE = 'O código de segurança está incorreto.';

/** The words in Portuguese as it is written in Brazil. */
export const pt: typeof en = {
  language: 'pt',
  ownName: 'Português',
  locale: 'pt-BR',

  declines: {
    insufficient_funds: 'Seu banco informa que não há saldo suficiente na conta.',
    card_velocity_exceeded: 'O cartão atingiu o limite.',
    expired_card: 'O cartão está vencido.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'Seu banco precisa verificar sua identidade. Você pode pagar novamente e confirmar lá.',
    currency_not_supported: 'O cartão não pode ser cobrado nesta moeda.',
    other: 'Seu banco recusou o pagamento sem informar o motivo.',
  },

  purposes: { Deposit: 'Sinal', Balance: 'Pagamento', Bond: 'Caução', Manual: 'Pagamento' },

  card: {
    endingIn: (brand, last4) => `${brand} com final ${last4}`,
    withExpiry: (card, expiry) => `${card}, validade ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Erro: ${title}`,
    language: 'Idioma',
    wait: 'Aguarde, por favor…',
    cardSafety: (property) =>
      `O número do seu cartão vai para a empresa de pagamentos. Ele não é guardado aqui, e ${property} não pode vê-lo.`,
    phone: 'Telefone',
    email: 'E-mail',
    website: 'Site',
    terms: 'Condições',
    taxId: 'Número fiscal',
  },

  messages: {
    foreignForm: {
      heading: 'Este formulário não pode ser enviado daqui',
      text: 'Nada foi alterado e nada foi cobrado. Abra novamente o link da sua mensagem, por favor.',
    },
    unreadable: {
      heading: 'Não foi possível ler o formulário',
      text: 'Nada foi alterado e nada foi cobrado. Tente novamente, por favor.',
    },
    unknownLink: {
      heading: 'Este link não funciona',
      text: 'Abra novamente o link completo da sua mensagem, por favor. Se não resolver, peça um novo link à acomodação.',
    },
    expiredLink: {
      heading: 'Este link expirou',
      text: 'Peça um novo link à acomodação, por favor. Os pagamentos que você fez estão seguros.',
    },
    replacedLink: {
      heading: 'Este link foi substituído',
      text: 'Use o link do e-mail mais recente, por favor.',
    },
    sessionEnded: {
      heading: 'Sua sessão expirou',
      text: 'Para sua segurança, esta página se fecha após 30 minutos sem uso. Abra novamente o link da sua mensagem, por favor. Os cookies precisam estar ativados.',
    },
    unknownOutcome: {
      heading: 'Não foi possível confirmar o que aconteceu',
      text: 'Abra novamente o link da sua mensagem e verifique se funcionou antes de tentar outra vez, por favor.',
    },
    busy: {
      heading: 'Aguarde um momento, por favor',
      text: 'Há muito movimento agora. Tente novamente em instantes, por favor.',
    },
    failed: {
      heading: 'Algo deu errado',
      text: 'Tente novamente mais tarde ou entre em contato com a acomodação, por favor.',
    },
    errorReference: (text, id) => `${text} (Referência do erro: ${id})`,
  },

  booking: {
    back: 'Voltar à sua reserva',
    title: 'Sua reserva',
    cancelledHeading: 'Sua reserva está cancelada',
    cancelled: (property) =>
      `Não há nada a pagar aqui. Se você não cancelou esta reserva, entre em contato com ${property}.`,
    stay: 'Estadia',
    guest: 'Hóspede',
    reference: 'Reserva',
    arrival: 'Chegada',
    departure: 'Saída',
    dates: (arrival, departure) => `${arrival} a ${departure}`,
    ahead: (days) =>
      days === 1 ? 'Sua estadia começa amanhã.' : `Sua estadia começa em ${days} dias.`,
    inHouse: (departure) => `Você está hospedado conosco até ${departure}.`,
    past: (departure) => `Sua estadia terminou em ${departure}.`,
    dueInHouse: 'Pague antes da sua saída, por favor.',
    overdue: 'Este pagamento está atrasado.',
  },

  amounts: {
    heading: 'Valores',
    stay: 'Sua estadia',
    fees: 'Taxas do cartão',
    charged: 'Cobrado dos seus cartões',
    refunded: 'Reembolsado',
    disputed: 'Contestado no seu banco',
    due: 'A pagar',
    overpaid: 'Pago a mais',
    ofWhichConfirming: 'Deste valor, em confirmação pelo seu banco',
    ofWhichDisputed: 'Deste valor, contestado no seu banco',
    overpaidText: (amount, property) =>
      `Você pagou ${amount} a mais do que custa a sua estadia. Entre em contato com ${property} sobre um reembolso.`,
    dueAfterRefund: (refunded, property) =>
      `${refunded} foram reembolsados a você, por isso esta parte do preço está novamente em aberto. Se o reembolso era para reduzir o preço, entre em contato com ${property} antes de pagar.`,
  },

  scheduled: {
    heading: 'Será cobrado automaticamente',
    line: (amount, time) => `${amount} em ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, ainda sem cartão`,
    payNow:
      'Você também pode pagar agora. Nesse caso, cancelamos a cobrança automática que não for mais necessária, para que você pague uma só vez.',
    notNeeded: (property) =>
      `Isso é mais do que você deve. Entre em contato com ${property} para não ser cobrado duas vezes.`,
  },

  pay: {
    heading: 'Pagar',
    payInstead: 'Pagar agora',
    nothingScheduled: 'Você não precisa fazer nada: o restante é cobrado automaticamente.',
    nothingConfirming:
      'Não há nada a pagar no momento: seu banco ainda está confirmando um pagamento.',
    nothingDisputed:
      'Não há nada a pagar aqui: um pagamento está contestado no seu banco. Em caso de dúvidas, entre em contato com a acomodação.',
    nothingDue: 'Tudo está pago. Obrigado.',
    intro: (amount) => `Pague ${amount} com cartão, por inteiro ou em parte.`,
    amountLegend: 'Valor',
    full: (amount) => `Tudo o que está em aberto: ${amount}`,
    unscheduled: (amount) => `O que não é cobrado automaticamente: ${amount}`,
    deposit: (amount) => `Sinal: ${amount}`,
    all: (amount) => `Tudo, também o que é cobrado automaticamente: ${amount}`,
    other: 'Outro valor',
    amountIn: (currency) => `Valor em ${currency}`,
    upTo: (amount) => `Você pode pagar até ${amount}.`,
    cardLegend: 'Cartão',
    newCard: 'Um novo cartão',
    addCard: 'Adicionar um cartão',
    bookingPayment: 'Pagamento da reserva',
    cardFee: 'Taxa do cartão',
    total: 'Total a pagar',
    feeByCard: 'A taxa depende do cartão. Você vê o total antes de pagar.',
    seeTotal: 'Você verá o total, com a taxa do cartão se houver, antes de pagar.',
    button: (total) => `Pagar ${total}`,
    continue: 'Continuar',
    reviewTitle: 'Conferir e pagar',
    change: 'Alterar o valor ou o cartão',
    replaces: 'Você paga isto agora em vez da cobrança automática. Em seguida cancelamos:',
    staysScheduled: (amount) => `${amount} ainda serão cobrados automaticamente.`,
  },

  payIssues: {
    amountFormat: (example) => `Digite um valor como ${example}.`,
    amountTooMuch: (amount) => `Você pode pagar até ${amount}.`,
    amountPrecision: 'Digite um valor mais redondo: seu banco não aceita um valor tão exato.',
    chooseCard: 'Escolha um cartão.',
    cancelled: 'Sua reserva está cancelada.',
    changed: 'Sua reserva ou o preço dela mudou. Confira os valores antes de pagar, por favor.',
    cardGone: 'Este cartão não está mais disponível. Escolha outro, por favor.',
    cardExpired: 'Este cartão está vencido. Adicione outro, por favor.',
    tooManyDeclines:
      'Cartões demais foram recusados. Aguarde dez minutos ou entre em contato com a acomodação, por favor.',
    gateway: 'A empresa de pagamentos não conseguiu fazer o pagamento. Nada foi cobrado.',
    busy: 'Há muito movimento agora. Nada foi cobrado. Tente novamente, por favor.',
  },

  results: {
    paid: (amount) => `Pagamento realizado: ${amount}.`,
    seeReceipt: 'Ver o recibo',
    cardAdded: 'Cartão adicionado. Confira o valor abaixo e continue.',
    cardAddedOnly: 'Cartão adicionado.',
    chargedNow: (amount) => `${amount}, recusados antes, foram cobrados neste cartão.`,
    confirming: (amount) => `Seu banco ainda está confirmando o pagamento de ${amount}.`,
    movedToIt: 'Estas cobranças automáticas usarão este cartão:',
    failedOnIt: (amount) => `O pagamento de ${amount} não pôde ser feito com este cartão.`,
    declinedHeading: 'O cartão foi recusado',
    notCharged: 'Nada foi cobrado.',
    tryAnother: 'Tente outro cartão ou ligue para o seu banco.',
    cancelled: 'O pagamento foi cancelado. Nada foi cobrado.',
    failed: 'O pagamento falhou: nada foi cobrado. Você pode pagar novamente.',
    cardUnclear:
      'Seu cartão talvez ainda não esteja salvo. Recarregue esta página em um minuto. Se ele não aparecer abaixo, adicione-o novamente, por favor.',
    cardRemoved: 'Cartão removido.',
  },

  underWay: {
    atBank: (amount) =>
      `Seu pagamento de ${amount} não terminou: seu banco precisa verificar sua identidade.`,
    continueAtBank: 'Continuar ou cancelar este pagamento',
    confirming: (amount) =>
      `Seu pagamento de ${amount} ainda não está confirmado. Não pague novamente, por favor.`,
    look: 'Ver a situação deste pagamento',
  },

  cards: {
    heading: 'Cartões salvos',
    none: 'Ainda não há cartões.',
    givenWithBooking: (property) =>
      `Informado com a reserva: só ${property} pode fazer cobranças nele.`,
    expired: 'Vencido.',
    add: 'Adicionar um cartão',
    addAnother: 'Adicionar outro cartão',
    remove: 'Remover',
    removeLabel: (card) => `Remover ${card}`,
    removeTitle: 'Remover este cartão?',
    removeText: (card, property) =>
      `${property} não poderá mais fazer cobranças em ${card}. Os pagamentos já feitos não mudam.`,
    removeButton: 'Remover o cartão',
    keep: 'Manter o cartão',
    inUse:
      'Este cartão ainda não pode ser removido: uma cobrança automática, um bloqueio de valor ou um pagamento o utiliza. Adicione outro cartão antes ou entre em contato com a acomodação.',
    gone: 'Este cartão não está mais na sua reserva.',
  },

  payments: {
    heading: 'Pagamentos',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, agendado`,
    willBeCharged: (time) => `será cobrado automaticamente em ${time}`,
    held: 'Valor bloqueado no seu cartão (não cobrado)',
    failed: (purpose) => `${purpose}: falhou, nada foi cobrado`,
    declined: (purpose) => `${purpose}: recusado, nada foi cobrado`,
    waitingForYou: (purpose) => `${purpose}, aguardando sua confirmação no banco`,
    holdBeingPlaced: 'Bloqueio do valor em andamento (não cobrado)',
    holdBeingReleased: 'Liberação do valor bloqueado em andamento',
    confirming: (purpose) => `${purpose}, em confirmação pelo seu banco`,
    withFee: (fee) => `com taxa do cartão de ${fee}`,
    receipt: 'Recibo',
    receiptOf: (amount, time) => `Recibo de ${amount}, ${time}`,
    refunded: 'Reembolso',
    refundConfirming: 'Reembolso, em confirmação pelo seu banco',
    refundFailed: 'O reembolso falhou: a acomodação entrará em contato com você',
  },

  cardForm: {
    title: 'Adicionar um cartão',
    number: 'Número do cartão',
    expiry: 'Validade',
    expiryHint: 'Mês e ano, por exemplo 04/29',
    code: 'Código de segurança',
    codeHint: '3 dígitos no verso do cartão, ou 4 na frente',
    holder: 'Nome no cartão',
    submit: 'Adicionar o cartão',
    notCharged: 'Nada será cobrado no seu cartão por enquanto.',
    summary: 'Verifique estes campos, por favor',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain:
      'Para sua segurança, digite novamente o número do cartão e o código de segurança, por favor.',
    tooMany:
      'Você tentou tantos cartões quantos aceitamos em uma hora. Volte mais tarde, por favor.',
    unknown:
      'Não foi possível confirmar se o cartão foi adicionado. Nada foi cobrado. Abra novamente o link da sua mensagem para verificar antes de tentar outra vez.',
    failed:
      'O cartão não pôde ser adicionado. Seu banco não o recusou: algo deu errado do nosso lado. Nada foi cobrado. Tente novamente ou use outro cartão, por favor.',
    declined: (reason) =>
      `Seu banco recusou este cartão. ${reason} Nada foi cobrado. Verifique o cartão ou use outro, por favor.`,
    needsBank:
      'Seu banco recusou este cartão. Ele precisa verificar sua identidade, o que esta página não pode pedir. Nada foi cobrado. Use outro cartão ou entre em contato com a acomodação, por favor.',
    issues: {
      cardNumber: 'Verifique o número do cartão.',
      cardExpiry: 'Digite a data como MM/AA.',
      expired: 'Este cartão está vencido. Use outro, por favor.',
      cvv: 'Digite o código de 3 ou 4 dígitos.',
      cvvOf: (digits) => `Digite o código de ${digits} dígitos deste cartão.`,
      cardHolderName: 'Digite o nome que está no cartão.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} guarda este cartão para a sua reserva. Você concorda que sejam cobrados nele o que você paga aqui e as cobranças automáticas mostradas nesta página.`,
    saved: (property) =>
      `Ao adicionar este cartão, você concorda que ${property} cobre nele o que você dever pela sua estadia: as cobranças automáticas mostradas aqui e o que você combinou com a acomodação.`,
    terms: (property) => `Condições de ${property}`,
  },

  element: {
    needsScript:
      'A empresa de pagamentos recebe seu cartão em um formulário próprio, que precisa de JavaScript. Ative o JavaScript para esta página ou entre em contato com a acomodação, por favor.',
    notLoaded:
      'Não foi possível carregar o formulário. Verifique sua conexão e recarregue esta página, por favor.',
    loadError: 'Não foi possível carregar o formulário. Tente novamente mais tarde, por favor.',
    noAnswer: 'A empresa de pagamentos não respondeu. Tente novamente, por favor.',
    checkCard: 'Verifique os dados do cartão, por favor.',
  },

  bank: {
    heading: 'Confirme sua identidade',
    toPay:
      'Seu banco precisa verificar sua identidade. Nada é cobrado até você confirmar o pagamento lá.',
    toAdd: 'Seu banco precisa verificar sua identidade. Nada é cobrado nesta etapa.',
    amount: 'Valor',
    card: 'Cartão',
    continue: 'Continuar para o seu banco',
    comesBack: 'Depois, seu banco trará você de volta para cá.',
    within: (minutes) =>
      `Confirme em até ${minutes === 1 ? 'um minuto' : `${minutes} minutos`}, por favor. Depois disso, o pagamento é cancelado.`,
    cancel: 'Cancelar este pagamento',
  },

  receipt: {
    title: 'Recibo',
    heading: 'Pagamento realizado',
    mailed: 'Também enviamos este recibo a você por e-mail.',
    confirmingHeading: 'Seu pagamento está sendo confirmado',
    confirming:
      'Seu banco ainda não confirmou este pagamento. Não pague novamente, por favor: você não será cobrado duas vezes. Esta página verifica de novo sozinha.',
    checkAgain: 'Verificar novamente',
    total: 'Total cobrado',
    totalAsked: 'Total a pagar',
    refunded: 'Reembolsado desde então',
    card: 'Cartão',
    time: 'Data e hora',
    number: 'Número do pagamento',
    stillDue: 'Ainda a pagar',
    print: 'Imprimir este recibo',
    from: 'Recebido por',
  },

  unsure: {
    heading: 'Estamos verificando seu pagamento',
    text: 'Não inicie um novo pagamento, por favor. Pressione “Verificar novamente”: se este pagamento não foi feito, ele será feito então. Você não será cobrado duas vezes.',
    button: 'Verificar novamente',
  },

  recovery: {
    heading: 'Seu cartão precisa da sua atenção',
    expiring: (amount, on, card) =>
      `Está prevista a cobrança de ${amount}${on}. Seu ${card} estará vencido até lá.`,
    declined: (amount, on, card) =>
      `O pagamento de ${amount}${on} foi recusado para o seu ${card}.`,
    authentication: (amount, on, card) =>
      `O banco do seu ${card} quer que você mesmo confirme o pagamento de ${amount}${on}.`,
    on: (time) => ` em ${time}`,
    cardName: (brand, last4) => `cartão ${brand} com final ${last4}`,
    replace: 'Substituir o cartão',
    orPay: 'ou pagar abaixo.',
    orPayBy: (time) => `ou pagar abaixo, até ${time}.`,
    chargedAtOnce:
      'Quando você adiciona este cartão, é cobrado nele imediatamente, mais a taxa do cartão se houver:',
    declinedBefore: (amount) => `${amount}, recusados antes`,
    moved: 'Estas cobranças automáticas usarão o novo cartão:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} precisa de um cartão para a sua estadia de ${arrival} a ${departure}, reserva ${reference}.`,
    withoutStay: (property) => `${property} precisa de um cartão seu.`,
    caution: (property) =>
      `${property} não verá o número do seu cartão, e nada será cobrado agora.`,
    thanksHeading: 'Obrigado',
    thanks: (property) => `Seu cartão está salvo para ${property}. Você pode fechar esta página.`,
    cancelledHeading: 'Nenhum cartão é necessário',
    cancelled: (property) =>
      `Sua reserva está cancelada, portanto ${property} não precisa de um cartão. Se você não a cancelou, entre em contato com a acomodação.`,
  },
};
