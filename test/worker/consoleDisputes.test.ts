/** The page of a dispute in the console: its evidence, the answer of a manager, and what others see. */
import { describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { words } from '../support/console.ts';
import { openDispute } from '../support/existing.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['pms'] });

const MANAGER = 'manager@demo.localhost';
const CASHIER = 'desk@demo.localhost';

const pathOf = (page: string, dispute: string) =>
  `/console/${page}?${new URLSearchParams({ property: 'demo', dispute }).toString()}`;

/** The fields of the form that confirms an answer. */
function confirmFields(html: string): Record<string, string> {
  const form = /<form method="post" action="\/console\/dispute" class="row">([\s\S]*?)<\/form>/;
  const inside = form.exec(html)?.[1] ?? '';
  return Object.fromEntries(
    [...inside.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

const statusOf = async (reference: string) =>
  (await call('/dispute/v1/list', { reference })).json.disputes[0]?.status;

describe('the page of a dispute', () => {
  it('shows what is known and missing, and a manager sends it once, after one more press', async () => {
    const dispute = await openDispute('CONSOLE-1');
    const person = await signedIn(MANAGER);
    await person.open('/console/disputes?property=demo');
    expect(person.page.html).toContain(pathOf('dispute', dispute).replaceAll('&', '&amp;'));
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
    await person.post('/console/dispute', fields);
    expect(person.page.status).toBe(200);
    await person.post('/console/dispute', { ...fields, key: crypto.randomUUID() });
    expect(person.page.status).toBe(409);
    const pdf = await person.open(pathOf('evidence.pdf', dispute));
    expect(pdf.headers.get('Content-Type')).toBe('application/pdf');
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
    await person.open(pathOf('dispute', 'dp_other'));
    expect(person.page.status).toBe(404);
    await person.post('/console/dispute', { ...form, answer: 'other' });
    expect(person.page.status).toBe(422);
  });
});
