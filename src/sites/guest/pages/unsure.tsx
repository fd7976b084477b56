import { Notice } from '../../web/notice.tsx';
import { Layout, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** Shown when it is unknown whether a payment was recorded. Sending the same form again cannot charge twice. */
export function UnsurePage({
  property,
  action,
  form,
}: {
  readonly property: ShownProperty;
  /** The path that the payment is sent to. */
  readonly action: string;
  /** The fields of the form that the guest sent. */
  readonly form: Readonly<Record<string, string>>;
}) {
  const { unsure } = useReader().words;
  return (
    <Layout title={unsure.heading} heading={unsure.heading} property={property}>
      <Notice kind="info">
        <p>{unsure.text}</p>
      </Notice>
      <form method="post" action={action} data-once>
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit">{unsure.button}</button>
      </form>
    </Layout>
  );
}
