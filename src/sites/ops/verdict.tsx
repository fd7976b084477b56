import { zonedInstant } from '../../desk/format.ts';
import { sumOf } from '../../desk/operations/outcomes.ts';
import type { Overview } from '../../desk/operations/overview.ts';
import { words } from '../../desk/words.ts';
import { OPS_PATH } from '../console/paths.ts';
import { Notice } from '../web/page.tsx';

const { verdict: copy } = words.ops;

/** Something that needs somebody, and where that is on the page. */
interface Trouble {
  readonly text: string;
  readonly href: string;
}

/** Whether everything works, in the first line; else what does not, and why, with the way there. */
export function Verdict({ overview }: { readonly overview: Overview }) {
  const troubles = troublesOf(overview);
  if (troubles.length === 0) return <Notice kind="good" text={copy.good} />;
  return (
    <Notice kind="bad" text={copy.bad({ number: troubles.length })}>
      <ul>
        {troubles.map(({ href, text }) => (
          <li>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function when(is: boolean, text: string, href: string): Trouble[] {
  return is ? [{ text, href }] : [];
}

function troublesOf(overview: Overview): Trouble[] {
  const { health, lists, outcomes, unknown } = overview;
  const failed = sumOf(outcomes.failedByHour, (number) => number);
  return [
    ...when(!overview.isWhole, copy.away, '/health'),
    ...when(health.keys === 'missing', copy.keys, '/docs/operations/admin/v1/keyring/list'),
    ...when(health.payments === 'late', copy.late, '#unknown'),
    ...when(health.acquirer === 'rejecting', copy.rejecting, '#upcoming'),
    ...when(
      unknown.operations.length > 0,
      copy.unknown({ number: unknown.operations.length }),
      '#unknown',
    ),
    ...when(failed > 0, copy.failed({ number: failed }), '#outcomes'),
    ...messageTroubles(overview),
    ...when(health.events !== 'delivered', copy.events, '#endpoints'),
    ...when(health.reconciliation === 'late', copy.notCompared, '#comparisons'),
    ...when(
      lists.differences.length > 0,
      copy.differences({ number: lists.differences.length }),
      `${OPS_PATH}/differences`,
    ),
    ...when(health.exports === 'late', copy.exports, '#runs'),
  ];
}

/** The PMSs that do not take their messages, each once, with the cause. */
function messageTroubles({ backlogs, health }: Overview): Trouble[] {
  const failing = backlogs.filter(({ failingSinceMs }) => failingSinceMs !== null);
  if (failing.length === 0 && health.messages !== 'delivered') {
    return [{ text: copy.messagesLate, href: '#outbox' }];
  }
  return failing.map(({ cause, depth, failingSinceMs, propertyId, timeZone }) => ({
    text: copy.messages({
      property: propertyId,
      number: depth,
      time: zonedInstant(failingSinceMs ?? 0, timeZone),
      cause: cause ?? copy.noCause,
    }),
    href: '#outbox',
  }));
}
