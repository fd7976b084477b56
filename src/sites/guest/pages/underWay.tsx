import { isAtBank } from '../../../money/payments/rules.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import { useGuest, useReader } from './reader.tsx';

/** Tells a guest of their payments that have no outcome yet, and leads to each. */
export function UnderWayNotice() {
  const { money, words } = useReader();
  const texts = words.underWay;
  const { folio, home } = useGuest();
  const underWay = folio.transactions.filter(
    ({ initiator, status }) => initiator === 'guest' && status === 'Processing',
  );
  return underWay.map((row) => {
    const amount = money(row.amountMinor, row.currency);
    const text = isAtBank(row) ? texts.atBank({ amount }) : texts.confirming({ amount });
    return (
      <Notice kind="info" text={text}>
        <LinkLine
          href={`${home}/receipt/${row.id}`}
          text={isAtBank(row) ? texts.continueAtBank : texts.look}
        />
      </Notice>
    );
  });
}
