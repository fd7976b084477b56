import { readBookingFile } from '../../../desk/bookingFile.ts';
import { money } from '../../../desk/format.ts';
import { readLink } from '../../../desk/links.ts';
import { words } from '../../../desk/words.ts';
import { InputField } from '../../web/forms.tsx';
import { LinkLine, page, Section } from '../../web/page.tsx';
import { bookingPageWith } from '../booking/page.tsx';
import { bookingPath, pathOf } from '../paths.ts';
import { bookingTitle, framed, notFoundPage, type PropertyRequest } from '../site.tsx';
import { workFor } from './routes.tsx';

const { link: copy } = words.booking;

/** Shows the payment link that a person has just made, to copy or to send; reading it again makes none. */
export async function showLink(request: PropertyRequest): Promise<Response> {
  const { c, property, reference } = request;
  const [made, file] = await Promise.all([
    readLink(workFor(request), c.req.query('key') ?? ''),
    readBookingFile(c.get('database'), property.id, reference, { kind: 'mails' }),
  ]);
  if (file === null) return notFoundPage(c);
  const link = made.ok ? made.value.link : null;
  if (link === null) return bookingPageWith(request, 404, copy.gone);
  const { booking } = file.state;
  const subject = copy.subject({ property: property.name, reference });
  const mail = new URLSearchParams({ subject, body: link }).toString().replaceAll('+', '%20');
  const amount = money(file.balance.proposedMinor, booking.currency);
  const about = { property: property.id, reference };
  const content = (
    <Section id="link" heading={copy.heading}>
      <p>{copy.asks({ amount })}</p>
      <form>
        <InputField id="url" label={copy.label} value={link} readonly />
        <button type="button" hidden data-copied={copy.copied}>
          {copy.copy}
        </button>
        <p role="status"></p>
      </form>
      <LinkLine
        href={pathOf('confirm', { ...about, do: 'mailLink' })}
        text={copy.send({ email: booking.email })}
      />
      <LinkLine
        href={`mailto:${encodeURIComponent(booking.email)}?${mail}`}
        text={copy.write({ email: booking.email })}
      />
      <LinkLine href={link} text={copy.open} />
      <LinkLine href={bookingPath(property.id, reference)} text={copy.back} />
    </Section>
  );
  return page(c, 200, framed(request, { title: bookingTitle(file), file }, content));
}
