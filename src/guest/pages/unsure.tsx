import { Notice } from '../../pages/notice.tsx';
import { Layout } from './layout.tsx';

/** Nobody knows whether a payment was recorded: it can be asked for again, and comes to the same payment. */
export function UnsurePage({
  propertyName,
  action,
  form,
}: {
  readonly propertyName: string;
  /** Where the payment is asked for. */
  readonly action: string;
  /** The very form that was sent. */
  readonly form: Readonly<Record<string, string>>;
}) {
  const heading = 'We do not know yet whether you paid';
  return (
    <Layout title={heading} heading={heading} propertyName={propertyName}>
      <Notice kind="info">
        <p>Please do not begin a new payment. Ask again here: you are charged once at most.</p>
      </Notice>
      <form method="post" action={action} data-once>
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Ask again</button>
      </form>
    </Layout>
  );
}
