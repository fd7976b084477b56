/** The page of a dispute in the console: its evidence, the answer of a manager, and what others see. */
import { describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { words } from '../support/console.ts';
import { openDispute } from '../support/existing.ts';
import { Guest } from '../support/guest.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['pms'] });

const MANAGER = 'manager@demo.localhost';
const CASHIER = 'desk@demo.localhost';

const pathOf = (page: string, dispute: string) =>
  `/console/${page}?${new URLSearchParams({ property: 'demo', dispute }).toString()}`;

/** The fields of the form that confirms an answer. */
function confirmFields(html: string): Record<string, string> {
  const form = /<form method="post" action="\/console\/dispute" class="row">([\s\S]*?)<\/form>/s;
  const inside = form.exec(html)?.[1] ?? '';
  return Object.fromEntries(
    [...inside.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

/** The words to the bank in the field for them. */
const noteIn = ({ page }: Guest) =>
  /<textarea [^>]*>([^<]*)</.exec(page.html)?.[1]?.replaceAll('&amp;', '&');

const statusOf = async (reference: string) =>
  (await call('/dispute/v1/list', { reference })).json.disputes[0]?.status;

describe('the page of a dispute', () => {
  it('shows what is known and missing, and a manager sends it once, after one more press', async () => {
    const dispute = await openDispute('CONSOLE-1');
    const person = await signedIn(MANAGER);
    await person.open('/console/disputes?property=demo');
    expect(person.page.html).toContain(pathOf('dispute', dispute).replaceAll('&', '&amp;'));
    // On a phone this names the row, and leads to the dispute.
    expect(person.page.html).toMatch(/<a href="[^"]*dispute=[^"]*">Answer by /);
    await person.open(pathOf('dispute', dispute));
    expect(words(person)).toContain('that the stay took place');
    expect(words(person)).toContain('Send the evidence');
    const form = { property: 'demo', dispute, answer: 'evidence', note: 'They stayed.' };
    await person.post('/console/dispute', form);
    expect(words(person)).toContain('That can be done once');
    expect(await statusOf('CONSOLE-1')).toBe('needs_response');
    const fields = confirmFields(person.page.html);
    await person.post('/console/dispute', fields);
    expect([person.page.status, await statusOf('CONSOLE-1')]).toEqual([200, 'under_review']);
    expect(words(person)).not.toContain('Send the evidence');
    expect(words(person)).toMatch(/What the bank was sent .*What happened They stayed\. /);
    expect(words(person)).not.toMatch(/What is missing|What the bank will read/);
    await person.post('/console/dispute', fields);
    expect(person.page.status).toBe(200);
    await person.post('/console/dispute', { ...fields, key: crypto.randomUUID() });
    expect(person.page.status).toBe(409);
    const pdf = await person.open(pathOf('evidence.pdf', dispute));
    expect(pdf.headers.get('Content-Type')).toBe('application/pdf');
  });

  it('keeps what was typed, without card numbers, and says beside it what is wrong', async () => {
    const dispute = await openDispute('CONSOLE-3');
    const person = await signedIn(MANAGER);
    const form = { property: 'demo', dispute, answer: 'evidence' };
    const note = 'They paid on 12.03.2027 & left.\nCard';
    await person.post('/console/dispute', { ...form, note: `${note} 4111 1111-1111 1111 it was.` });
    expect([person.page.status, noteIn(person)]).toEqual([
      422,
      `${note} XXXX XXXX-XXXX XXXX it was.`,
    ]);
    expect(person.page.html).toMatch(/aria-describedby="note-error"[\s\S]*id="note-error"/);
    expect(words(person)).toContain('Leave out card numbers');
    await person.post('/console/dispute', { ...form, note: 'y'.repeat(3_001) });
    expect(noteIn(person)).toHaveLength(3_001);
    expect(words(person)).toContain('Use at most 3000 characters.');
    await person.post('/console/dispute', { ...form, note });
    expect(words(person)).toContain('Go back, change nothing');
    await person.post('/console/dispute', { ...form, answer: 'none', note });
    expect([person.page.status, noteIn(person)]).toEqual([200, note]);
  });

  it('keeps what was typed where somebody thinks of giving up, and then does not', async () => {
    const dispute = await openDispute('CONSOLE-5');
    const person = await signedIn(MANAGER);
    await person.open(pathOf('dispute', dispute));
    const ways = /<textarea .*?value="evidence".*?value="acceptance".*?<\/form>/s;
    expect(person.page.html).toMatch(ways);
    const form = { property: 'demo', dispute, answer: 'acceptance', note: 'They stayed.' };
    await person.post('/console/dispute', form);
    expect(words(person)).not.toContain('They stayed.');
    const { key: _key, ...back } = confirmFields(person.page.html);
    await person.post('/console/dispute', { ...back, answer: 'none' });
    expect(noteIn(person)).toBe('They stayed.');
  });

  it('gives what was typed back to somebody whose session has ended, and leads back', async () => {
    const dispute = await openDispute('CONSOLE-6');
    const stranger = new Guest();
    const note = 'They paid on 12.03.2027 by 4111 1111 1111 1111 & left.';
    const form = { property: 'demo', dispute, answer: 'evidence', note };
    await stranger.post('/console/dispute', form);
    expect(stranger.page.status).toBe(401);
    expect(noteIn(stranger)).toBe('They paid on 12.03.2027 by XXXX XXXX XXXX XXXX & left.');
    expect(words(stranger)).toContain('What you wrote was not sent.');
    const next = pathOf('dispute', dispute).replaceAll('&', '&amp;');
    expect(stranger.page.html).toContain(`name="next" value="${next}"`);
  });

  it('takes as many Chinese characters as the field has', async () => {
    const dispute = await openDispute('CONSOLE-4');
    const person = await signedIn(MANAGER);
    const note = '客'.repeat(3_000);
    await person.post('/console/dispute', { property: 'demo', dispute, answer: 'evidence', note });
    expect(confirmFields(person.page.html)['note']).toBe(note);
    expect(person.page.html).toMatch(/name="answer" value="none".*?Go back, change nothing/s);
  });

  it('is given up by a manager, and only read by others', async () => {
    const dispute = await openDispute('CONSOLE-2');
    const cashier = await signedIn(CASHIER);
    await cashier.open(pathOf('dispute', dispute));
    expect(words(cashier)).toContain('Managers answer disputes.');
    const form = { property: 'demo', dispute, answer: 'acceptance' };
    await cashier.post('/console/dispute', { ...form, key: crypto.randomUUID() });
    expect([cashier.page.status, await statusOf('CONSOLE-2')]).toEqual([403, 'needs_response']);
    const person = await signedIn(MANAGER);
    await person.post('/console/dispute', form);
    await person.post('/console/dispute', confirmFields(person.page.html));
    expect(await statusOf('CONSOLE-2')).toBe('lost');
    expect(words(person)).not.toMatch(/What is missing|What the bank/);
    await person.open(pathOf('dispute', 'dp_other'));
    expect(person.page.status).toBe(404);
    await person.post('/console/dispute', { ...form, answer: 'other' });
    expect(person.page.status).toBe(422);
  });
});
