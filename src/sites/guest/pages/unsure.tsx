import { Notice } from '../../web/notice.tsx';
import { Layout } from './layout.tsx';

/** Shown when it is unknown whether a payment was recorded. Sending the same form again cannot charge twice. */
export function UnsurePage({
  propertyName,
  action,
  form,
}: {
  readonly propertyName: string;
  /** The path that the payment is sent to. */
  readonly action: string;
  /** The fields of the form that the guest sent. */
  readonly form: Readonly<Record<string, string>>;
}) {
  const heading = 'We could not confirm your payment';
  return (
    <Layout title={heading} heading={heading} propertyName={propertyName}>
      <Notice kind="info">
        <p>
          Please do not start a new payment. Press “Check again” below: if this payment was not
          made, it is made then. You will not be charged twice.
        </p>
      </Notice>
      <form method="post" action={action} data-once>
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Check again</button>
      </form>
    </Layout>
  );
}
