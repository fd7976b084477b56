import { bookingPath } from '../../console/paths.ts';

/** A booking's reference, which leads to its page of the console. */
export function BookingLink({
  property,
  reference,
}: {
  readonly property: string | null;
  readonly reference: string | null;
}) {
  if (property === null || reference === null) return <>–</>;
  return (
    <a href={bookingPath(property, reference)}>
      <bdi>{reference}</bdi>
    </a>
  );
}
