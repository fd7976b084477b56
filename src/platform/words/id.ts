import type { en } from './en.ts';

const BLOCKED = 'Bank Anda menyatakan bahwa kartu ini tidak dapat digunakan lagi.';
const WRONG_NUMBER = 'Bank Anda tidak mengenali nomor kartu ini.';
const WRONG_SECURITY_CODE = 'Kode keamanan tidak benar.';

/** The words in Indonesian, with the polite address. */
export const id: typeof en = {
  language: 'id',
  ownName: 'Bahasa Indonesia',
  locale: 'id-ID',

  declines: {
    insufficient_funds: 'Bank Anda menyatakan bahwa saldo rekening tidak cukup.',
    card_velocity_exceeded: 'Kartu telah mencapai batasnya.',
    expired_card: 'Kartu telah kedaluwarsa.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      'Bank Anda perlu memverifikasi identitas Anda. Anda dapat membayar lagi dan mengonfirmasinya di sana.',
    currency_not_supported: 'Kartu tidak dapat ditagih dalam mata uang ini.',
    other: 'Bank Anda menolak pembayaran tanpa menyebutkan alasan.',
  },

  purposes: {
    Deposit: 'Uang muka',
    Balance: 'Pembayaran',
    Bond: 'Uang jaminan',
    Manual: 'Pembayaran',
  },

  card: {
    endingIn: (brand, last4) => `${brand} dengan angka akhir ${last4}`,
    withExpiry: (card, expiry) => `${card}, berlaku hingga ${expiry}`,
  },

  frame: {
    errorTitle: (title) => `Kesalahan: ${title}`,
    language: 'Bahasa',
    wait: 'Mohon tunggu…',
    cardSafety: (property) =>
      `Nomor kartu Anda dikirim ke perusahaan pembayaran. Nomor itu tidak disimpan di sini, dan ${property} tidak dapat melihatnya.`,
    phone: 'Telepon',
    email: 'E-mail',
    website: 'Situs web',
    terms: 'Ketentuan',
    taxId: 'NPWP',
  },

  messages: {
    foreignForm: {
      heading: 'Formulir ini tidak dapat dikirim dari sini',
      text: 'Tidak ada yang diubah dan tidak ada yang ditagih. Silakan buka lagi tautan dari pesan Anda.',
    },
    unreadable: {
      heading: 'Kami tidak dapat membaca formulir',
      text: 'Tidak ada yang diubah dan tidak ada yang ditagih. Silakan coba lagi.',
    },
    unknownLink: {
      heading: 'Tautan ini tidak berfungsi',
      text: 'Silakan buka lagi tautan lengkap dari pesan Anda. Jika tetap tidak berhasil, mintalah tautan baru kepada akomodasi.',
    },
    expiredLink: {
      heading: 'Tautan ini telah kedaluwarsa',
      text: 'Silakan minta tautan baru kepada akomodasi. Pembayaran yang telah Anda lakukan aman.',
    },
    replacedLink: {
      heading: 'Tautan ini telah diganti',
      text: 'Silakan gunakan tautan di e-mail terbaru.',
    },
    sessionEnded: {
      heading: 'Sesi Anda telah berakhir',
      text: 'Demi keamanan Anda, halaman ini ditutup setelah 30 menit tidak digunakan. Silakan buka lagi tautan dari pesan Anda. Cookie harus diaktifkan.',
    },
    unknownOutcome: {
      heading: 'Kami tidak dapat memastikan hasilnya',
      text: 'Silakan buka lagi tautan dari pesan Anda dan periksa hasilnya sebelum mencoba lagi.',
    },
    busy: {
      heading: 'Mohon tunggu sebentar',
      text: 'Saat ini kami sedang sibuk. Silakan coba lagi sebentar lagi.',
    },
    failed: {
      heading: 'Terjadi kesalahan',
      text: 'Silakan coba lagi nanti atau hubungi akomodasi.',
    },
    errorReference: (text, id) => `${text} (Nomor kesalahan: ${id})`,
  },

  booking: {
    back: 'Kembali ke pemesanan Anda',
    title: 'Pemesanan Anda',
    cancelledHeading: 'Pemesanan Anda dibatalkan',
    cancelled: (property) =>
      `Tidak ada yang perlu dibayar di sini. Jika Anda tidak membatalkan pemesanan ini, silakan hubungi ${property}.`,
    stay: 'Masa inap',
    guest: 'Tamu',
    reference: 'Pemesanan',
    arrival: 'Kedatangan',
    departure: 'Keberangkatan',
    dates: (arrival, departure) => `${arrival} hingga ${departure}`,
    ahead: (days) =>
      days === 1 ? 'Masa inap Anda dimulai besok.' : `Masa inap Anda dimulai dalam ${days} hari.`,
    inHouse: (departure) => `Anda menginap bersama kami hingga ${departure}.`,
    past: (departure) => `Masa inap Anda berakhir pada ${departure}.`,
    dueInHouse: 'Silakan bayar sebelum keberangkatan Anda.',
    overdue: 'Pembayaran ini telah melewati jatuh tempo.',
  },

  amounts: {
    heading: 'Jumlah',
    stay: 'Masa inap Anda',
    fees: 'Biaya kartu',
    charged: 'Ditagih ke kartu Anda',
    refunded: 'Dikembalikan',
    disputed: 'Disanggah melalui bank Anda',
    due: 'Belum dibayar',
    overpaid: 'Kelebihan bayar',
    ofWhichConfirming: 'Di antaranya, sedang dikonfirmasi oleh bank Anda',
    ofWhichDisputed: 'Di antaranya, disanggah melalui bank Anda',
    overpaidText: (amount, property) =>
      `Anda membayar ${amount} lebih banyak daripada harga masa inap Anda. Silakan hubungi ${property} mengenai pengembalian dana.`,
    dueAfterRefund: (refunded, property) =>
      `${refunded} telah dikembalikan kepada Anda, sehingga bagian harga ini kembali belum dibayar. Jika pengembalian itu dimaksudkan untuk menurunkan harga, silakan hubungi ${property} sebelum membayar.`,
  },

  scheduled: {
    heading: 'Akan ditagih secara otomatis',
    line: (amount, time) => `${amount} pada ${time}`,
    onCard: (line, card) => `${line}, ${card}`,
    withoutCard: (line) => `${line}, belum ada kartu`,
    payNow:
      'Anda juga dapat membayar sekarang. Tagihan otomatis yang tidak diperlukan lagi akan kami batalkan, sehingga Anda membayar satu kali saja.',
    notNeeded: (property) =>
      `Ini lebih banyak daripada yang harus Anda bayar. Silakan hubungi ${property} agar Anda tidak ditagih dua kali.`,
  },

  pay: {
    heading: 'Bayar',
    payInstead: 'Bayar sekarang',
    nothingScheduled: 'Anda tidak perlu melakukan apa pun: sisanya ditagih secara otomatis.',
    nothingConfirming:
      'Saat ini tidak ada yang perlu dibayar: bank Anda masih mengonfirmasi pembayaran.',
    nothingDisputed:
      'Tidak ada yang perlu dibayar di sini: sebuah pembayaran sedang disanggah melalui bank Anda. Jika ada pertanyaan, silakan hubungi akomodasi.',
    nothingDue: 'Semuanya sudah dibayar. Terima kasih.',
    intro: (amount) => `Bayar ${amount} dengan kartu, seluruhnya atau sebagian.`,
    amountLegend: 'Jumlah',
    full: (amount) => `Semua yang belum dibayar: ${amount}`,
    unscheduled: (amount) => `Yang tidak ditagih secara otomatis: ${amount}`,
    deposit: (amount) => `Uang muka: ${amount}`,
    all: (amount) => `Semuanya, termasuk yang ditagih secara otomatis: ${amount}`,
    other: 'Jumlah lain',
    amountIn: (currency) => `Jumlah dalam ${currency}`,
    upTo: (amount) => `Anda dapat membayar hingga ${amount}.`,
    cardLegend: 'Kartu',
    newCard: 'Kartu baru',
    addCard: 'Tambah kartu',
    bookingPayment: 'Pembayaran pemesanan',
    cardFee: 'Biaya kartu',
    total: 'Total pembayaran',
    feeByCard: 'Biaya tergantung pada kartu. Anda melihat totalnya sebelum membayar.',
    seeTotal: 'Anda akan melihat totalnya, termasuk biaya kartu jika ada, sebelum membayar.',
    button: (total) => `Bayar ${total}`,
    continue: 'Lanjutkan',
    reviewTitle: 'Periksa dan bayar',
    change: 'Ubah jumlah atau kartu',
    replaces:
      'Anda membayar ini sekarang sebagai ganti tagihan otomatis. Setelah itu kami membatalkan:',
    staysScheduled: (amount) => `${amount} tetap akan ditagih secara otomatis.`,
  },

  payIssues: {
    amountFormat: (example) => `Masukkan jumlah seperti ${example}.`,
    amountTooMuch: (amount) => `Anda dapat membayar hingga ${amount}.`,
    amountPrecision:
      'Masukkan jumlah yang lebih bulat: bank Anda tidak menerima jumlah serinci ini.',
    chooseCard: 'Pilih kartu.',
    cancelled: 'Pemesanan Anda dibatalkan.',
    changed:
      'Pemesanan Anda atau harganya telah berubah. Mohon periksa jumlahnya sebelum membayar.',
    cardGone: 'Kartu ini tidak tersedia lagi. Silakan pilih kartu lain.',
    cardExpired: 'Kartu ini telah kedaluwarsa. Silakan tambahkan kartu lain.',
    tooManyDeclines:
      'Terlalu banyak kartu yang ditolak. Silakan tunggu sepuluh menit atau hubungi akomodasi.',
    gateway: 'Perusahaan pembayaran tidak dapat melakukan pembayaran. Anda tidak ditagih.',
    busy: 'Saat ini kami sedang sibuk. Anda tidak ditagih. Silakan coba lagi.',
  },

  results: {
    paid: (amount) => `Pembayaran berhasil: ${amount}.`,
    seeReceipt: 'Lihat tanda terima',
    cardAdded: 'Kartu ditambahkan. Periksa jumlah di bawah dan lanjutkan.',
    cardAddedOnly: 'Kartu ditambahkan.',
    chargedNow: (amount) => `${amount}, yang sebelumnya ditolak, telah ditagih ke kartu ini.`,
    confirming: (amount) => `Bank Anda masih mengonfirmasi pembayaran ${amount}.`,
    movedToIt: 'Tagihan otomatis berikut akan menggunakan kartu ini:',
    failedOnIt: (amount) => `Pembayaran ${amount} tidak dapat dilakukan dengan kartu ini.`,
    declinedHeading: 'Kartu ditolak',
    notCharged: 'Anda tidak ditagih.',
    tryAnother: 'Coba kartu lain atau hubungi bank Anda.',
    cancelled: 'Pembayaran dibatalkan. Anda tidak ditagih.',
    failed: 'Pembayaran gagal – Anda tidak ditagih. Anda dapat membayar lagi.',
    cardUnclear:
      'Kartu Anda mungkin belum tersimpan. Muat ulang halaman ini satu menit lagi. Jika kartu tidak tercantum di bawah, silakan tambahkan lagi.',
    cardRemoved: 'Kartu dihapus.',
  },

  underWay: {
    atBank: (amount) =>
      `Pembayaran Anda sebesar ${amount} belum selesai: bank Anda perlu memverifikasi identitas Anda.`,
    continueAtBank: 'Lanjutkan atau batalkan pembayaran ini',
    confirming: (amount) =>
      `Pembayaran Anda sebesar ${amount} belum dikonfirmasi. Mohon jangan membayar lagi.`,
    look: 'Lihat status pembayaran ini',
  },

  cards: {
    heading: 'Kartu tersimpan',
    none: 'Belum ada kartu.',
    givenWithBooking: (property) =>
      `Diberikan saat pemesanan: hanya ${property} yang dapat menagihnya.`,
    expired: 'Kedaluwarsa.',
    add: 'Tambah kartu',
    addAnother: 'Tambah kartu lain',
    remove: 'Hapus',
    removeLabel: (card) => `Hapus ${card}`,
    removeTitle: 'Hapus kartu ini?',
    removeText: (card, property) =>
      `${property} tidak dapat lagi menagih ${card}. Pembayaran yang sudah dilakukan tidak berubah.`,
    removeButton: 'Hapus kartu',
    keep: 'Simpan kartu',
    inUse:
      'Kartu ini belum dapat dihapus: tagihan otomatis, penahanan dana, atau pembayaran masih menggunakannya. Tambahkan kartu lain terlebih dahulu atau hubungi akomodasi.',
    gone: 'Kartu ini tidak ada lagi di pemesanan Anda.',
  },

  payments: {
    heading: 'Pembayaran',
    paid: (purpose) => purpose,
    scheduled: (purpose) => `${purpose}, dijadwalkan`,
    willBeCharged: (time) => `akan ditagih secara otomatis pada ${time}`,
    held: 'Dana ditahan di kartu Anda (tidak ditagih)',
    failed: (purpose) => `${purpose} gagal – Anda tidak ditagih`,
    declined: (purpose) => `${purpose} ditolak – Anda tidak ditagih`,
    waitingForYou: (purpose) => `${purpose}, menunggu konfirmasi Anda di bank`,
    holdBeingPlaced: 'Dana sedang ditahan (tidak ditagih)',
    holdBeingReleased: 'Penahanan dana sedang dilepas',
    confirming: (purpose) => `${purpose}, sedang dikonfirmasi oleh bank Anda`,
    withFee: (fee) => `dengan biaya kartu ${fee}`,
    receipt: 'Tanda terima',
    receiptOf: (amount, time) => `Tanda terima ${amount}, ${time}`,
    refunded: 'Pengembalian dana',
    refundConfirming: 'Pengembalian dana, sedang dikonfirmasi oleh bank Anda',
    refundFailed: 'Pengembalian dana gagal: akomodasi akan menghubungi Anda',
  },

  cardForm: {
    title: 'Tambah kartu',
    number: 'Nomor kartu',
    expiry: 'Tanggal kedaluwarsa',
    expiryHint: 'Bulan dan tahun, misalnya 04/29',
    code: 'Kode keamanan',
    codeHint: '3 angka di belakang kartu, atau 4 di depan',
    holder: 'Nama pada kartu',
    submit: 'Tambahkan kartu',
    notCharged: 'Kartu Anda belum akan ditagih.',
    summary: 'Mohon periksa kolom berikut',
    inField: (field, issue) => `${field}: ${issue}`,
    typeAgain: 'Demi keamanan Anda, masukkan lagi nomor kartu dan kode keamanan.',
    tooMany:
      'Anda telah mencoba kartu sebanyak yang kami terima dalam satu jam. Silakan kembali lagi nanti.',
    unknown:
      'Kami tidak dapat memastikan apakah kartu telah ditambahkan. Anda tidak ditagih. Silakan buka lagi tautan dari pesan Anda untuk memeriksanya sebelum mencoba lagi.',
    failed:
      'Kartu tidak dapat ditambahkan. Bukan bank Anda yang menolaknya: terjadi kesalahan di pihak kami. Anda tidak ditagih. Silakan coba lagi atau gunakan kartu lain.',
    declined: (reason) =>
      `Bank Anda menolak kartu ini. ${reason} Anda tidak ditagih. Silakan periksa kartu atau gunakan kartu lain.`,
    needsBank:
      'Bank Anda menolak kartu ini. Bank perlu memverifikasi identitas Anda, yang tidak dapat dilakukan di halaman ini. Anda tidak ditagih. Silakan gunakan kartu lain atau hubungi akomodasi.',
    issues: {
      cardNumber: 'Periksa nomor kartu.',
      cardExpiry: 'Masukkan tanggal sebagai BB/TT.',
      expired: 'Kartu ini telah kedaluwarsa. Silakan gunakan kartu lain.',
      cvv: 'Masukkan kode 3 atau 4 angka.',
      cvvOf: (digits) => `Masukkan kode ${digits} angka kartu ini.`,
      cardHolderName: 'Masukkan nama yang tertera pada kartu.',
    },
  },

  agreement: {
    payment: (property) =>
      `${property} menyimpan kartu ini untuk pemesanan Anda. Anda setuju bahwa yang Anda bayar di sini dan tagihan otomatis yang ditampilkan di halaman ini ditagih ke kartu tersebut.`,
    saved: (property) =>
      `Dengan menambahkan kartu ini, Anda setuju bahwa ${property} boleh menagih yang harus Anda bayar untuk masa inap Anda: tagihan otomatis yang ditampilkan di sini dan yang telah Anda sepakati dengan akomodasi.`,
    terms: (property) => `Ketentuan ${property}`,
  },

  element: {
    needsScript:
      'Perusahaan pembayaran menerima kartu Anda dalam formulirnya sendiri, yang memerlukan JavaScript. Silakan aktifkan JavaScript untuk halaman ini atau hubungi akomodasi.',
    notLoaded:
      'Formulir tidak dapat dimuat. Silakan periksa koneksi Anda dan muat ulang halaman ini.',
    loadError: 'Formulir tidak dapat dimuat. Silakan coba lagi nanti.',
    noAnswer: 'Perusahaan pembayaran tidak menjawab. Silakan coba lagi.',
    checkCard: 'Silakan periksa data kartu.',
  },

  bank: {
    heading: 'Konfirmasi identitas Anda',
    toPay:
      'Bank Anda perlu memverifikasi identitas Anda. Anda tidak ditagih sampai Anda mengonfirmasi pembayaran di sana.',
    toAdd: 'Bank Anda perlu memverifikasi identitas Anda. Anda tidak ditagih pada langkah ini.',
    amount: 'Jumlah',
    card: 'Kartu',
    continue: 'Lanjutkan ke bank Anda',
    comesBack: 'Setelah itu, bank Anda akan membawa Anda kembali ke sini.',
    within: (minutes) =>
      `Silakan konfirmasi dalam ${minutes} menit. Setelah itu, pembayaran dibatalkan.`,
    cancel: 'Batalkan pembayaran ini',
  },

  receipt: {
    title: 'Tanda terima',
    heading: 'Pembayaran berhasil',
    mailed: 'Kami juga mengirimkan tanda terima ini kepada Anda melalui e-mail.',
    confirmingHeading: 'Pembayaran Anda sedang dikonfirmasi',
    confirming:
      'Bank Anda belum mengonfirmasi pembayaran ini. Mohon jangan membayar lagi: Anda tidak akan ditagih dua kali. Halaman ini memeriksa lagi dengan sendirinya.',
    checkAgain: 'Periksa lagi',
    total: 'Total ditagih',
    totalAsked: 'Total pembayaran',
    refunded: 'Dikembalikan sejak itu',
    card: 'Kartu',
    time: 'Waktu',
    number: 'Nomor pembayaran',
    stillDue: 'Masih belum dibayar',
    print: 'Cetak tanda terima ini',
    from: 'Diterima oleh',
  },

  unsure: {
    heading: 'Kami sedang memeriksa pembayaran Anda',
    text: 'Mohon jangan memulai pembayaran baru. Tekan “Periksa lagi”: jika pembayaran ini belum dilakukan, pembayaran akan dilakukan saat itu. Anda tidak akan ditagih dua kali.',
    button: 'Periksa lagi',
  },

  recovery: {
    heading: 'Kartu Anda memerlukan perhatian',
    expiring: (amount, on, card) =>
      `${amount} akan ditagih${on}. Saat itu ${card} Anda sudah kedaluwarsa.`,
    declined: (amount, on, card) => `Pembayaran ${amount}${on} ditolak untuk ${card} Anda.`,
    authentication: (amount, on, card) =>
      `Bank dari ${card} Anda meminta Anda sendiri mengonfirmasi pembayaran ${amount}${on}.`,
    on: (time) => ` pada ${time}`,
    cardName: (brand, last4) => `kartu ${brand} dengan angka akhir ${last4}`,
    replace: 'Ganti kartu',
    orPay: 'atau bayar di bawah.',
    orPayBy: (time) => `atau bayar di bawah, paling lambat ${time}.`,
    chargedAtOnce:
      'Saat Anda menambahkan kartu ini, kartu langsung ditagih, ditambah biaya kartu jika ada:',
    declinedBefore: (amount) => `${amount}, yang sebelumnya ditolak`,
    moved: 'Tagihan otomatis berikut akan menggunakan kartu baru:',
  },

  cardRequest: {
    forStay: (property, arrival, departure, reference) =>
      `${property} memerlukan kartu untuk masa inap Anda dari ${arrival} hingga ${departure}, pemesanan ${reference}.`,
    withoutStay: (property) => `${property} memerlukan kartu dari Anda.`,
    caution: (property) =>
      `${property} tidak akan melihat nomor kartu Anda, dan Anda tidak ditagih sekarang.`,
    thanksHeading: 'Terima kasih',
    thanks: (property) => `Kartu Anda tersimpan untuk ${property}. Anda dapat menutup halaman ini.`,
    cancelledHeading: 'Kartu tidak diperlukan',
    cancelled: (property) =>
      `Pemesanan Anda dibatalkan, sehingga ${property} tidak memerlukan kartu. Jika Anda tidak membatalkannya, silakan hubungi akomodasi.`,
  },
};
