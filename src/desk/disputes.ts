import { callBooking } from '../booking/stub.ts';
import { fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { AnswerCommand, DisputeAnswered } from '../money/disputes/answerDispute.ts';
import { findEvidence } from '../money/disputes/evidence/find.ts';
import type { Evidence } from '../money/disputes/evidence/read.ts';
import { longestOf } from '../money/disputes/evidence/rules/fields.ts';
import { answerWith } from '../money/disputes/evidence/toSend.ts';
import type { DisputeAnswer } from '../schema/disputeTables.ts';
import type { DeskWork } from './actions.ts';
import { contextOf } from './perform.ts';
import { may } from './rights.ts';
import { words } from './words.ts';

/** A person's answer to a dispute. */
export interface DeskAnswer {
  readonly disputeId: string;
  readonly answer: DisputeAnswer;
  /** What the bank reads before the story of the booking; empty for nothing. */
  readonly note: string;
  /** A UUID: however often the form is sent, it acts once. */
  readonly key: string;
}

type Reading = Pick<DeskWork, 'baseUrl' | 'database' | 'env' | 'person' | 'property' | 'trace'>;

/** The evidence about a dispute of the property that a person works for (interface: Get the evidence). */
export async function readDisputeFile(
  { baseUrl, database, env, person, property, trace }: Reading,
  disputeId: string,
): Promise<Result<Evidence>> {
  const allowed = may(person, property, 'see');
  if (!allowed.ok) return allowed;
  const work = { database, bucket: env.EXPORTS, trace };
  return findEvidence(work, property.id, disputeId, baseUrl);
}

/** Answers a dispute by the operation of the interface, audited under the person, once for each key. */
export async function answerAtDesk(
  work: Omit<DeskWork, 'reference'>,
  { answer, disputeId, key, note }: DeskAnswer,
): Promise<Result<DisputeAnswered>> {
  const allowed = may(work.person, work.property, 'answerDisputes');
  if (!allowed.ok) return allowed;
  const read = await readDisputeFile(work, disputeId);
  if (!read.ok) return read;
  const { dispute } = read.value;
  const evidence: Result<AnswerCommand['evidence']> =
    answer === 'evidence' ? evidenceWith(read.value, note) : ok(null);
  if (!evidence.ok) return evidence;
  const operation = answer === 'evidence' ? 'submit-dispute' : 'accept-dispute';
  const request = { disputeId, answer, note };
  const caller = { operation, key: `desk-${key}`, request } as const;
  const context = contextOf({ ...work, reference: dispute.bookingReference });
  const command = { disputeId, evidence: evidence.value, caller };
  return (await callBooking(work, context, 'answerDispute', command)).answer;
}

/** What is sent: what is suggested, with the person's own words before the story. */
function evidenceWith(evidence: Evidence, note: string): Result<AnswerCommand['evidence']> {
  const story = evidence.view.suggested['uncategorized_text'] ?? '';
  const whole = note === '' ? story : `${note}\n\n${story}`;
  const sent = answerWith(evidence, {
    uncategorized_text: whole.slice(0, longestOf('uncategorized_text')),
  });
  if (sent !== null) return ok(sent);
  const message = words.disputeFile.tooLong;
  return err(fieldFailure([{ field: 'note', code: 'too_long', message }]));
}
