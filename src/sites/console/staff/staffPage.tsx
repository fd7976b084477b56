import { fieldFailure, fieldIssue } from '../../../core/failure.ts';
import { storedDecimal } from '../../../core/money.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { typableAmount, typedAmount } from '../../../core/typedAmount.ts';
import { money } from '../../../desk/format.ts';
import { allowed } from '../../../desk/rights.ts';
import {
  addColleague,
  type Colleague,
  endColleague,
  limitRefunds,
  putColleague,
  readColleagues,
  type StaffWork,
} from '../../../desk/staff.ts';
import { amountCopy, words } from '../../../desk/words.ts';
import { email, name } from '../../../http/fields.ts';
import { statusOf } from '../../../http/problem.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { type UserRow, users } from '../../../schema/staffTables.ts';
import { ButtonForm, type Form, Hidden, InputField, SelectField } from '../../web/forms.tsx';
import { Notice, page, type Said, Section } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import { type Column, Instant, TableSection } from '../../web/table.tsx';
import { type Filled, issuesOf, UNTYPED } from '../filled.ts';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import { mailInvitation } from '../signIn.tsx';
import { framed, type PropertyRequest, refusedPage, useViewed, Ways } from '../site.tsx';

const { columns: names, staff: copy } = words;

/** Shows who may see a property, and lets administrators change that (interface: Staff). */
export function showStaff(request: PropertyRequest): Promise<Response> {
  const { done } = request.c.req.query();
  return staffPage(request, 200, done === undefined ? null : { kind: 'good', text: copy.done });
}

/** Adds or changes someone, or ends their sessions; whoever is new is mailed a link to sign in. */
export async function changeStaff(request: PropertyRequest, form: Form): Promise<Response> {
  const { c, person, property } = request;
  const may = allowed(person, 'manageStaff');
  if (!may.ok) return refusedPage(c, may.error);
  const work = { database: c.get('database'), person, property, nowMs: Date.now() };
  const changed = form['do'] === 'limit' ? await limit(work, form) : await change(work, form);
  if (!changed.ok) {
    const { error } = changed;
    const issues = issuesOf(error, form['do'] === 'invite' ? INVITED : ['refundLimit']);
    const { form: text } = issues;
    const said = text === undefined ? null : ({ kind: 'bad', text } as const);
    return staffPage(request, statusOf(error.code), said, { typed: form, issues });
  }
  if (form['do'] === 'invite' && 'email' in changed.value) {
    mailInvitation(c, changed.value.email, { by: person.name, property: property.name });
  }
  return c.redirect(pathOf('staff', { property: property.id, done: '' }), 303);
}

/** The fields that the form of someone new shows; the other forms show the limit alone of them. */
const INVITED = ['email', 'name', 'refundLimit'];

async function limit(work: StaffWork, form: Form): Promise<Result<PropertyRow>> {
  const minor = limitIn(form, work.property);
  return minor.ok ? limitRefunds(work, minor.value ?? null) : minor;
}

async function change(work: StaffWork, form: Form): Promise<Result<UserRow>> {
  const address = email.safeParse((form['email'] ?? '').trim()).data;
  if (address === undefined) return wrong('email', words.signIn.noAddress);
  if (form['do'] === 'end') return endColleague(work, address);
  const role = users.role.enumValues.find((one) => one === form['role']) ?? 'viewer';
  const called = name(100).safeParse((form['name'] ?? '').trim()).data;
  if (called === undefined) return wrong('name', copy.noName);
  const { currency } = work.property;
  const limited = limitIn(form, work.property);
  if (!limited.ok) return limited;
  const put = form['do'] === 'invite' ? addColleague : putColleague;
  return put(work, {
    email: address,
    name: called,
    role,
    active: form['active'] !== 'no',
    refundLimit: limited.value && storedDecimal(limited.value, currency),
  });
}

/** A field with what is wrong with it. */
function wrong(field: string, text: string): Result<never> {
  return err(fieldFailure([fieldIssue(field, 'invalid_format', text)]));
}

/** The limit that was typed, in minor units; null for the property's own, undefined where the form has none. */
function limitIn(
  { refundLimit }: Form,
  { currency }: PropertyRow,
): Result<number | null | undefined> {
  if (refundLimit === undefined) return ok(undefined);
  if (refundLimit.trim() === '') return ok(null);
  const typed = typedAmount(repeatable(refundLimit), currency);
  if (typed.ok && typed.value >= 0) return typed;
  const { amount } = words.actions.issues;
  const text = typed.ok ? amount : amountCopy(typed.error, currency, amount);
  return wrong('refundLimit', text);
}

/** The page, in whose forms stays what was typed in one of them. */
async function staffPage(
  request: PropertyRequest,
  status: number,
  said: Said | null,
  tried = UNTYPED,
) {
  const { c, person, property } = request;
  const people = await readColleagues(c.get('database'), property, Date.now());
  const mayChange = hasRight(person.role, 'manageStaff');
  const { currency, id, refundLimitMinor } = property;
  const limited = refundLimitMinor === null ? '' : typableAmount(refundLimitMinor, currency);
  const ofAll = triedIn(tried, 'limit');
  const content = (
    <>
      <Ways name={copy.choose} ways={copy.ways} current="staff" />
      {said && <Notice {...said} />}
      <p class="soft">
        {refundLimitMinor === null
          ? copy.noLimit
          : copy.limit({ amount: money(refundLimitMinor, currency) })}
      </p>
      <TableSection
        id="people"
        heading={copy.title}
        caption={copy.caption}
        columns={peopleColumns(request, tried)}
        rows={people}
        empty={copy.empty}
      />
      {mayChange && (
        <Section id="limit" heading={copy.limitHeading}>
          <form method="post" action={`${CONSOLE_PATH}/staff`} class="action">
            <Hidden fields={{ property: id, do: 'limit' }} />
            <AmountField
              id="ofAll"
              label={copy.limitOfAll({ currency })}
              known={limited}
              {...ofAll}
            />
            <button type="submit">{copy.save}</button>
          </form>
        </Section>
      )}
      {mayChange && (
        <Section id="invite" heading={copy.invite}>
          <form method="post" action={`${CONSOLE_PATH}/staff`} class="action">
            <Hidden fields={{ property: id, do: 'invite' }} />
            <InviteFields {...triedIn(tried, 'invite')} />
            <button type="submit">{copy.add}</button>
          </form>
          <p class="soft">{copy.inviteNote}</p>
        </Section>
      )}
    </>
  );
  return page(c, status, framed(request, { title: copy.title, here: 'staff' }, content));
}

/** What was typed in one of the page's forms; of a person's own, for this address. */
function triedIn(tried: Filled, what: string, address?: string): Filled {
  const { do: done, email: typed } = tried.typed;
  return done === what && (address === undefined || typed === address) ? tried : UNTYPED;
}

function InviteFields(filled: Filled) {
  const { issues, typed } = filled;
  return (
    <>
      <InputField
        id="name"
        label={copy.name}
        maxlength={100}
        required
        value={repeatable(typed['name'] ?? '')}
        error={issues['name']}
      />
      <InputField
        id="email"
        label={words.signIn.email}
        type="email"
        required
        value={repeatable(typed['email'] ?? '')}
        error={issues['email']}
      />
      <RoleField id="role" chosen={typed['role'] ?? 'cashier'} />
      <LimitField id="refundLimit" {...filled} />
    </>
  );
}

function RoleField({ id, chosen }: { readonly id: string; readonly chosen: string }) {
  const options = users.role.enumValues.map((one) => [one, copy.roles[one]] as const);
  return <SelectField id={id} name="role" label={copy.role} options={options} chosen={chosen} />;
}

/** What a cashier refunds; it is left empty where the property's own limit holds. */
function LimitField({ row, ...field }: Filled & { readonly id: string; readonly row?: Colleague }) {
  const { currency } = useViewed().property;
  const own = row?.refundLimitMinor ?? null;
  const known = own === null ? '' : typableAmount(own, row?.refundLimitCurrency ?? currency);
  return <AmountField {...field} label={copy.ownLimit({ currency })} known={known} />;
}

/** A limit as it was typed, or else as it is. */
function AmountField(amount: Filled & Readonly<Record<'id' | 'label' | 'known', string>>) {
  const { issues, known, typed, ...field } = amount;
  return (
    <InputField
      {...field}
      name="refundLimit"
      inputmode="decimal"
      autocomplete="off"
      value={repeatable(typed['refundLimit'] ?? known)}
      error={issues['refundLimit']}
    />
  );
}

function peopleColumns({ person, property }: PropertyRequest, tried: Filled): Column<Colleague>[] {
  const all: Column<Colleague>[] = [
    {
      name: copy.name,
      cell: ({ email: address, name: called }) => (
        <>
          <bdi>{called}</bdi> <span class="soft">{address}</span>
        </>
      ),
    },
    {
      name: copy.role,
      cell: ({ active, propertyId, refundLimitCurrency, refundLimitMinor, role }) =>
        [
          copy.roles[role],
          propertyId === null && copy.elsewhere,
          role === 'cashier' &&
            refundLimitMinor !== null &&
            copy.upTo({ amount: money(refundLimitMinor, refundLimitCurrency ?? '') }),
          !active && copy.off,
        ]
          .filter(Boolean)
          .join(', '),
    },
    {
      name: words.account.seen,
      isMore: true,
      cell: ({ seenAtMs }) => <Instant atMs={seenAtMs} timeZone={property.timeZone} />,
    },
    { name: copy.sessions, isMore: true, isNumber: true, cell: ({ sessions }) => sessions },
  ];
  if (!hasRight(person.role, 'manageStaff')) return all;
  const changes: Column<Colleague> = {
    name: names.actions,
    cell: (row) =>
      row.propertyId === property.id &&
      row.id !== person.id && <Changes row={row} filled={triedIn(tried, 'put', row.email)} />,
  };
  return [...all, changes];
}

function Changes({ filled, row }: { readonly filled: Filled; readonly row: Colleague }) {
  const { property } = useViewed();
  const { active, email: address, id, name: called, role } = row;
  const same = { property: property.id, email: address, name: called };
  return (
    <details open={filled !== UNTYPED}>
      <summary>
        {copy.change} <span class="unseen">{called}</span>
      </summary>
      <form method="post" action={`${CONSOLE_PATH}/staff`}>
        <Hidden fields={{ ...same, do: 'put', active: active ? 'yes' : 'no' }} />
        <RoleField id={`role-${id}`} chosen={filled.typed['role'] ?? role} />
        <LimitField id={`limit-${id}`} row={row} {...filled} />
        <button type="submit">{copy.save}</button>
      </form>
      <ButtonForm
        action={`${CONSOLE_PATH}/staff`}
        fields={{ ...same, do: 'put', role, active: active ? 'no' : 'yes' }}
        text={active ? copy.switchOff : copy.switchOn}
      />
      {active && (
        <ButtonForm
          action={`${CONSOLE_PATH}/staff`}
          fields={{ ...same, do: 'end' }}
          text={copy.end}
        />
      )}
    </details>
  );
}
