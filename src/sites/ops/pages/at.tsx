/** The zone of what belongs to no property. */
const UTC = 'UTC';

/** The time zones of properties, by their ids. */
export type Zones = ReadonlyMap<string, string>;

/** An instant with the name of its zone, `14 Feb 2027, 15:00 GMT+8`; a dash for null. */
export function At({
  atMs,
  zones,
  property,
}: {
  readonly atMs: number | null;
  readonly zones?: Zones;
  /** Whose clock shows it; without it, that is UTC. */
  readonly property?: string | null;
}) {
  if (atMs === null) return <>–</>;
  const timeZone = zones?.get(property ?? '') ?? UTC;
  return <time datetime={new Date(atMs).toISOString()}>{zonedText(atMs, timeZone)}</time>;
}

/** An instant in a zone, with the zone's name. */
export function zonedText(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(atMs);
}
