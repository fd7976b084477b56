import type { en } from './en.ts';

/** The words of mails to guests in Indonesian. */
export const id: typeof en = {
  facts: { refund: 'Nomor pengembalian dana', for: 'Untuk' },

  cardRequest: {
    subject: (property, reference) =>
      `Tambahkan kartu untuk masa inap Anda di ${property} (${reference})`,
    subjectWithoutStay: (property) => `Tambahkan kartu untuk ${property}`,
    heading: 'Tambah kartu',
    action: 'Tambahkan kartu Anda',
    until: (time) => `Dengan tautan ini Anda dapat menambahkan satu kartu, hingga ${time}.`,
    unexpected: 'Jika Anda tidak mengharapkan pesan ini, silakan abaikan.',
  },

  recovery: {
    declined: {
      subject: (property, reference) =>
        `Pembayaran untuk masa inap Anda di ${property} (${reference})`,
      heading: 'Ada pembayaran yang memerlukan perhatian Anda',
    },
    expiring: {
      subject: (property, reference) => `Kartu Anda untuk masa inap di ${property} (${reference})`,
      heading: 'Kartu Anda segera kedaluwarsa',
    },
    stay: (property, arrival, departure, reference) =>
      `Pesan ini mengenai masa inap Anda di ${property} dari ${arrival} hingga ${departure} (${reference}).`,
    answerBy: (time) => `Silakan ganti kartu atau bayar sekarang, paling lambat ${time}.`,
    chargedAtOnce:
      'Jika Anda menambahkan kartu lain, pembayaran yang ditolak langsung ditagih ke kartu itu.',
    action: 'Ganti kartu atau bayar',
    closing: (property) =>
      `Tidak seorang pun di ${property} melihat nomor kartu Anda. Jika Anda sudah menanggapinya, silakan abaikan pesan ini.`,
  },

  receipt: {
    subject: (property, reference) => `Tanda terima pembayaran dari ${property} (${reference})`,
    heading: 'Tanda terima pembayaran',
    opening: (property, amount) =>
      `${property} telah menerima pembayaran Anda sebesar ${amount}. Terima kasih.`,
    transactionFee: 'Biaya transaksi',
  },

  refund: {
    subject: (property, reference) => `Pengembalian dana dari ${property} (${reference})`,
    heading: 'Pengembalian dana',
    opening: (property, amount) => `${property} telah mengembalikan ${amount} kepada Anda.`,
    timing: 'Bank Anda mungkin memerlukan beberapa hari untuk menampilkannya di rekening koran.',
    total: 'Total dikembalikan',
  },

  failedPayment: {
    subject: (property, reference) =>
      `Pembayaran Anda kepada ${property} tidak berhasil (${reference})`,
    heading: 'Pembayaran tidak dilakukan',
    opening: (property, amount) =>
      `${property} mencoba menagih ${amount} ke kartu Anda. Anda tidak ditagih.`,
    noCard: 'Tidak ada kartu untuk pembayaran ini.',
    notMade: 'Pembayaran tidak dapat dilakukan karena alasan teknis.',
    payOnline: 'Anda dapat membayar dengan kartu ini atau kartu lain di halaman aman kami.',
    action: 'Bayar sekarang',
    contact: (property) => `Silakan hubungi ${property} untuk membayar dengan cara lain.`,
  },
};
