import { Icon } from '../ui/Icon';
import { useShopFacts } from '../ui/shopFacts';

/** The owner's contact details, in the footer and on the contact page. */
export function ContactWays({ className }: { className?: string | undefined }) {
  const { contactEmail: email, contactPhone: phone } = useShopFacts();
  return (
    <ul className={className}>
      <li>
        <a href={`mailto:${email}`}>
          <Icon name="mail" /> {email}
        </a>
      </li>
      {phone && (
        <li>
          <a href={telephoneLink(phone)}>
            <Icon name="phone" /> {phone}
          </a>
        </li>
      )}
    </ul>
  );
}

/** @returns the `tel:` URL of a phone number; ten digits are treated as a US number */
function telephoneLink(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (phone.trim().startsWith('+')) return `tel:+${digits}`;
  return digits.length === 10 ? `tel:+1${digits}` : `tel:${digits}`;
}
