import { MINUTE_MS } from '../../../core/time.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardName } from './cardLabel.tsx';
import { Fact, Layout } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The bank's page, and for how long the guest can confirm there, in milliseconds. */
interface OpenBank {
  readonly url: string;
  readonly leftMs: number;
}

/** Sends the guest to their bank, which wants to verify them before it pays. Nothing is charged yet. */
export function BankStepPage({
  folio,
  home,
  row,
  bank,
  cancelAction,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly row: TransactionRow;
  readonly bank: OpenBank;
  readonly cancelAction: string;
}) {
  const { property, booking } = folio.state;
  const card = folio.usedCards.find(({ token }) => token === row.cardToken);
  const { money, words } = useReader();
  const { bank: texts } = words;
  return (
    <Layout title={texts.heading} heading={texts.heading} property={property}>
      <Notice kind="info">
        <p>{texts.toPay}</p>
      </Notice>
      <dl>
        {card && (
          <Fact name={texts.card}>
            <CardName card={card} />
          </Fact>
        )}
        <Fact name={words.booking.reference}>
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name={texts.amount} due>
          {money(row.amountMinor, row.currency)}
        </Fact>
      </dl>
      <p>
        <a class="button" href={bank.url} rel="noreferrer">
          {texts.continue}
        </a>
      </p>
      <p class="hint">
        {texts.comesBack} {texts.within({ minutes: minutesLeft(bank) })}
      </p>
      <form method="post" action={cancelAction} data-once>
        <button type="submit" class="button quiet">
          {texts.cancel}
        </button>
      </form>
      <p>
        <a href={home}>{words.booking.back}</a>
      </p>
    </Layout>
  );
}

function minutesLeft({ leftMs }: OpenBank): number {
  return Math.max(1, Math.ceil(leftMs / MINUTE_MS));
}
