import { z } from '@hono/zod-openapi';
import { failure } from '../../core/failure.ts';
import { noProperty, requireScope } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { problemResponse } from '../../http/problem.ts';
import { pdfResponse, responsesFor } from '../../http/responses.ts';
import { evidencePdf } from '../../money/disputes/evidence/document.ts';
import { readEvidence } from '../calls.ts';

const PATH = '/dispute/v1/evidence.pdf';
const SCOPE = 'payments:read';

/** `GET /dispute/v1/evidence.pdf` (interface: Get the evidence). */
export function registerEvidencePdf(api: Api): void {
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: PATH,
    summary: 'Get all that is known about a disputed charge as a PDF',
    tags: ['dispute'],
    security: [{ oauth2: ['payments'] }, { oauth2: [SCOPE] }],
    request: {
      query: z.object({ disputeId: z.string().describe("The gateway's id of the dispute.") }),
    },
    responses: {
      200: {
        description: 'The evidence',
        content: { 'application/pdf': { schema: z.string() } },
      },
      ...responsesFor([
        'invalid_request',
        'unauthorized',
        'insufficient_scope',
        'dispute_not_found',
        'rate_limited',
        'outcome_unknown',
      ]),
    },
  });
  api.get(PATH, requireScope(SCOPE), (c) => sendEvidence(c));
}

async function sendEvidence(c: AppContext): Promise<Response> {
  const { property } = c.get('caller');
  if (property === null) return problemResponse(c, noProperty());
  const disputeId = c.req.query('disputeId') ?? '';
  if (disputeId === '') {
    return problemResponse(c, failure('invalid_request', 'Name a dispute: ?disputeId=…'));
  }
  const read = await readEvidence(c, property, disputeId);
  if (!read.ok) return problemResponse(c, read.error);
  return pdfResponse(c, evidencePdf(read.value).bytes);
}
