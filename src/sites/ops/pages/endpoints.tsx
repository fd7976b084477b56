import { EmptyNote } from '../../web/table.tsx';
import { type EndpointBehind, MOST_SHOWN } from '../overview.ts';
import { At, type Zones } from './at.tsx';
import { CardTable } from './cardTable.tsx';
import { counted } from './outbox.tsx';

/** Webhook endpoints that did not get their events. */
export function EndpointsPart({
  endpoints,
  zones,
}: {
  readonly endpoints: readonly EndpointBehind[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">Webhook endpoints</h2>
      {endpoints.length === 0 ? (
        <EmptyNote text="Every endpoint gets its events." />
      ) : (
        <CardTable
          caption={`Endpoints that are behind, at most ${MOST_SHOWN.endpoints} shown; their clients replay by /webhook/v1/replay`}
          columns={[
            'Endpoint',
            '#Failed for good',
            'Last answer',
            'Next attempt',
            'State',
            'Property',
            'Id',
          ]}
          rows={endpoints.map((endpoint) => [
            endpoint.host,
            counted(endpoint.dead),
            endpoint.lastStatus === null ? 'None' : `HTTP ${endpoint.lastStatus}`,
            <At atMs={endpoint.nextDueAtMs} zones={zones} property={endpoint.propertyId} />,
            endpoint.active ? 'Active' : 'Deactivated',
            endpoint.propertyId,
            endpoint.id,
          ])}
        />
      )}
    </section>
  );
}
