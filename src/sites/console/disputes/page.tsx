import type { Child } from 'hono/jsx';
import { disputeReason, wordFor } from '../../../core/words/staff.ts';
import { instant, money } from '../../../desk/format.ts';
import { words } from '../../../desk/words.ts';
import type { Evidence } from '../../../money/disputes/evidence/read.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import { ButtonForm, Fact, Hidden, TextField } from '../../web/forms.tsx';
import { LinkLine, Notice, Section } from '../../web/page.tsx';
import { withoutCards } from '../../web/repeatable.ts';
import { BookingLink } from '../lists/columns.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import { useViewed } from '../site.tsx';

const { disputes: copyOfDisputes, disputeFile: copy } = words;

/** The most characters of a person's own words to the bank. */
export const LONGEST_NOTE = 3_000;

/** What the form of an answer has in it. */
interface AnswerProps {
  readonly evidence: Evidence;
  /** The words to the bank that were typed. */
  readonly note: string;
  /** What is wrong with them. */
  readonly issue?: string | undefined;
}

/** A dispute with what is known about it, what is missing, and what can be done. */
export function DisputePage({ evidence, ...typed }: AnswerProps) {
  const { dispute, property, sent, view } = evidence;
  return (
    <>
      <Section id="dispute" heading={copy.heading}>
        <dl>
          <Fact name={words.columns.booking}>
            <BookingLink property={property.id} reference={dispute.bookingReference} />
          </Fact>
          <Fact name={words.columns.amount}>{money(dispute.amountMinor, dispute.currency)}</Fact>
          <Fact name={copyOfDisputes.reason}>{disputeReason(words, dispute.reason)}</Fact>
          <Fact name={copyOfDisputes.stage}>{words.disputeStages[dispute.stage]}</Fact>
          <Fact name={copyOfDisputes.state}>
            {dispute.pendingAnswer === null ? words.disputeStates[dispute.status] : copy.onItsWay}
          </Fact>
          {dispute.respondByMs !== null && dispute.status === 'needs_response' && (
            <Fact name={copyOfDisputes.due}>{instant(dispute.respondByMs, property.timeZone)}</Fact>
          )}
        </dl>
        <LinkLine
          href={pathOf('evidence.pdf', { property: property.id, dispute: dispute.id })}
          text={copy.pdf}
        />
      </Section>
      {isOpen(dispute) ? (
        <>
          <Section id="missing" heading={copy.missing}>
            {view.missing.length === 0 ? (
              <p>{copy.nothingMissing}</p>
            ) : (
              <ul>
                {view.missing.map((part) => (
                  <li>{copy.parts[part]}</li>
                ))}
              </ul>
            )}
          </Section>
          <Texts heading={copy.suggested} texts={view.suggested} />
          <Answer evidence={evidence} {...typed} />
        </>
      ) : (
        answerOf(dispute) === 'evidence' && sent && <Texts heading={copy.sent} texts={sent} />
      )}
    </>
  );
}

/** Whether a dispute waits for an answer. */
function isOpen({ pendingAnswer, status }: Evidence['dispute']): boolean {
  return status === 'needs_response' && pendingAnswer === null;
}

/** The answer that is on its way, or else the one that was taken last; null for none. */
function answerOf({ answer, pendingAnswer }: Evidence['dispute']): Evidence['dispute']['answer'] {
  return pendingAnswer ?? answer;
}

/** What the bank reads, field by field. */
function Texts({
  heading,
  texts,
}: {
  readonly heading: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
}) {
  return (
    <Section id="sent" heading={heading}>
      <dl class="facts">
        {Object.entries(texts).map(([field, text]) => (
          <Fact name={wordFor(copy.fields, field) ?? field} typed>
            <Lines text={text ?? ''} />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Lines({ text }: { readonly text: string }) {
  const lines: Child[] = text.split('\n').flatMap((line, index) => (index ? [<br />, line] : line));
  return <>{lines}</>;
}

/** The form to send the evidence or give the dispute up; both lead to a page that asks for confirmation. */
function Answer({ evidence: { dispute, property }, issue, note }: AnswerProps) {
  const { person } = useViewed();
  if (!hasRight(person.role, 'answerDisputes')) return <p class="soft">{copy.notYours}</p>;
  const fields = { property: property.id, dispute: dispute.id };
  return (
    <Section id="answer" heading={copy.answer}>
      <form method="post" action={`${CONSOLE_PATH}/dispute`} class="action">
        <Hidden fields={fields} />
        <TextField
          id="note"
          label={copy.note}
          error={issue}
          rows={5}
          maxlength={LONGEST_NOTE}
          text={withoutCards(note)}
        />
        <button type="submit" name="answer" value="evidence">
          {copy.titles.evidence}
        </button>
        {dispute.stage === 'chargeback' && (
          <button type="submit" name="answer" value="acceptance" class="quiet">
            {copy.titles.acceptance}
          </button>
        )}
      </form>
    </Section>
  );
}

/** Says what an answer does, and asks for one press. The way back keeps what was typed. */
export function ConfirmAnswer({
  answer,
  evidence: { dispute, property },
  note,
}: {
  readonly answer: 'evidence' | 'acceptance';
  readonly evidence: Evidence;
  readonly note: string;
}) {
  const sent = { property: property.id, dispute: dispute.id, answer, note };
  const amount = money(dispute.amountMinor, dispute.currency);
  return (
    <>
      <Notice kind="info" text={copy.effects[answer]({ amount })} />
      {answer === 'evidence' && note !== '' && (
        <p>
          <bdi>
            <Lines text={note} />
          </bdi>
        </p>
      )}
      <ButtonForm
        action={`${CONSOLE_PATH}/dispute`}
        class="row"
        fields={{ ...sent, key: crypto.randomUUID() }}
        text={copy.titles[answer]}
      />
      <ButtonForm
        action={`${CONSOLE_PATH}/dispute`}
        fields={{ ...sent, answer: 'none' }}
        text={words.confirm.back}
      />
    </>
  );
}
