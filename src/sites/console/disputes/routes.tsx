import { z } from 'zod';
import { answerAtDesk, readDisputeFile } from '../../../desk/disputes.ts';
import { failureCopy } from '../../../desk/refusals.ts';
import { words } from '../../../desk/words.ts';
import { lines } from '../../../http/fields.ts';
import { statusOf } from '../../../http/problem.ts';
import { pdfResponse } from '../../../http/responses.ts';
import { evidencePdf } from '../../../money/disputes/evidence/document.ts';
import type { Evidence } from '../../../money/disputes/evidence/read.ts';
import type { Form } from '../../web/forms.tsx';
import { Notice, page, type Said } from '../../web/page.tsx';
import { workFor } from '../actions/routes.tsx';
import { pathOf } from '../paths.ts';
import { framed, notFoundPage, type PropertyRequest } from '../site.tsx';
import { ConfirmAnswer, DisputePage, LONGEST_NOTE } from './page.tsx';

const { disputeFile: copy } = words;

/** The page of a dispute (interface: Console). */
export function showDispute(request: PropertyRequest): Promise<Response> {
  const { dispute = '', done } = request.c.req.query();
  const said = done === undefined ? null : ({ kind: 'good', text: copy.done } as const);
  return withDispute(request, dispute, (evidence) =>
    disputePage(request, 200, { evidence, said, note: '' }),
  );
}

/** The evidence about a dispute as a PDF. */
export function sendPdf(request: PropertyRequest): Promise<Response> {
  const id = request.c.req.query('dispute') ?? '';
  return withDispute(request, id, async (evidence) =>
    pdfResponse(request.c, evidencePdf(evidence).bytes),
  );
}

const answerForm = z.object({
  dispute: z.string(),
  answer: z.enum(['evidence', 'acceptance', 'none']),
  note: lines(LONGEST_NOTE, 0),
});

/**
 * Asks for confirmation of an answer, goes back to what was typed, or does what was confirmed. The form's key makes repeated
 * presses one.
 */
export function answerDispute(request: PropertyRequest, form: Form): Promise<Response> {
  const note = (form['note'] ?? '').replaceAll('\r\n', '\n').trim();
  const read = answerForm.safeParse({ ...form, note });
  return withDispute(request, form['dispute'] ?? '', async (evidence) => {
    if (!read.success) {
      return disputePage(request, 422, { evidence, note, ...refused(note) });
    }
    const { answer, dispute: disputeId } = read.data;
    if (answer === 'none') return disputePage(request, 200, { evidence, note });
    const key = z.uuid().safeParse(form['key']);
    if (!key.success) {
      const shown = { answer, evidence, note };
      const title = copy.titles[answer];
      return page(request.c, 200, framed(request, { title }, <ConfirmAnswer {...shown} />));
    }
    const order = { answer, disputeId, note, key: key.data };
    const done = await answerAtDesk(workFor(request), order);
    if (!done.ok) {
      const said = { kind: 'bad', text: failureCopy(done.error) } as const;
      return withDispute(request, disputeId, (after) =>
        disputePage(request, statusOf(done.error.code), { evidence: after, note, said }),
      );
    }
    const { property } = request;
    const shown = { property: property.id, dispute: disputeId, done: answer };
    return request.c.redirect(pathOf('dispute', shown), 303);
  });
}

/** What is wrong with a form that cannot be read: with its words, or else with the whole. */
function refused(note: string): Pick<Shown, 'issue' | 'said'> {
  if (answerForm.shape.note.safeParse(note).success) {
    return { said: { kind: 'bad', text: words.actions.issues.form } };
  }
  return {
    issue:
      note.length > LONGEST_NOTE ? copy.noteTooLong({ most: `${LONGEST_NOTE}` }) : copy.noteRefused,
  };
}

async function withDispute(
  request: PropertyRequest,
  id: string,
  show: (evidence: Evidence) => Promise<Response>,
): Promise<Response> {
  const read = await readDisputeFile(workFor(request), id);
  return read.ok ? show(read.value) : notFoundPage(request.c);
}

interface Shown {
  readonly evidence: Evidence;
  /** The words to the bank that were typed, and what is wrong with them. */
  readonly note: string;
  readonly issue?: string;
  readonly said?: Said | null;
}

function disputePage(
  request: PropertyRequest,
  status: number,
  { said, ...shown }: Shown,
): Promise<Response> {
  const { evidence } = shown;
  const title = copy.title({ reference: evidence.dispute.bookingReference });
  const content = (
    <>
      {said && <Notice {...said} />}
      <DisputePage {...shown} />
    </>
  );
  return page(request.c, status, framed(request, { title, here: 'disputes' }, content));
}
