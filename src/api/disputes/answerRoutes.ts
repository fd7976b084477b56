import { z } from '@hono/zod-openapi';
import { fieldFailure } from '../../core/failure.ts';
import { err, ok } from '../../core/result.ts';
import { gatewayId, lines } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import {
  evidenceFields,
  fieldMeanings,
  longestOf,
} from '../../money/disputes/evidence/rules/fields.ts';
import { answerWith } from '../../money/disputes/evidence/toSend.ts';
import { evidenceSchema } from '../../money/disputes/evidence/views.ts';
import { DISPUTE_NOT_FOUND } from '../../money/disputes/rules.ts';
import { readBookingOfDispute } from '../../money/disputes/store.ts';
import { disputeSchema } from '../../money/disputes/views.ts';
import { readEvidence } from '../calls.ts';

const disputeId = gatewayId.describe("the gateway's id of the dispute");

/** Texts in place of those that are suggested; an empty one leaves its field out. */
const texts = z
  .object(
    Object.fromEntries(
      evidenceFields.map((field) => [
        field,
        lines(longestOf(field), 0).optional().describe(fieldMeanings[field]),
      ]),
    ),
  )
  .openapi('EvidenceTexts');

const answer = { dispute: disputeSchema };

/** The operations that answer disputes (interface: Submit evidence). */
export function registerDisputeAnswers(api: Api): void {
  propertyOperation(api, {
    path: '/dispute/v1/evidence',
    summary: 'Get all that is known about a disputed charge, and what would be sent as evidence',
    scope: 'payments:read',
    body: z.object({ disputeId }),
    answer: { evidence: evidenceSchema },
    problems: ['dispute_not_found'],
    handle: async ({ c, body, property }) => {
      const read = await readEvidence(c, property, body.disputeId);
      return read.ok ? ok({ evidence: read.value.view }) : read;
    },
  });

  propertyOperation(api, {
    path: '/dispute/v1/submit',
    summary: 'Send the evidence against a dispute to the gateway, once',
    scope: 'payments',
    body: z.object({
      disputeId,
      texts: texts.optional().describe('in place of those suggested; an empty one is left out'),
    }),
    answer,
    idempotent: 'submit-dispute',
    problems: ['dispute_not_found', 'invalid_state', 'idempotency_key_reused', 'gateway_error'],
    handle: async ({ c, body, callerKey: caller, perform, property }) => {
      const read = await readEvidence(c, property, body.disputeId);
      if (!read.ok) return read;
      const { dispute } = read.value;
      const evidence = answerWith(read.value, body.texts ?? {});
      if (evidence === null) return err(fieldFailure([TOO_LONG]));
      const command = { disputeId: dispute.id, evidence, caller };
      return perform(dispute.bookingReference, 'answerDispute', command);
    },
  });

  propertyOperation(api, {
    path: '/dispute/v1/accept',
    summary: 'Give a dispute up: it is lost',
    scope: 'payments',
    body: z.object({ disputeId }),
    answer,
    idempotent: 'accept-dispute',
    problems: ['dispute_not_found', 'invalid_state', 'idempotency_key_reused', 'gateway_error'],
    handle: async ({ c, body, callerKey: caller, perform, property }) => {
      const { disputeId: id } = body;
      const reference = await readBookingOfDispute(c.get('database'), property.id, id);
      if (reference === null) return err(DISPUTE_NOT_FOUND);
      return perform(reference, 'answerDispute', { disputeId: id, evidence: null, caller });
    },
  });
}

const TOO_LONG = {
  field: 'texts',
  code: 'too_long',
  message: 'All texts together are too long.',
} as const;
