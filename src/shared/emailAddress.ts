// in characters; RFC 5321, 4.5.3.1
const maxLength = 254;
const maxLocalLength = 64;

/** Between dots before the @: no blank, no quote, and none of the signs that separate addresses in a mail's header. */
const atom = /^[^\s\p{C}<>()[\]\\.,;:"@]+$/u;
/** Between the dots of the host: letters of any script and digits, with hyphens within. */
const hostLabel = /^[\p{L}\p{M}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?$/u;
const digits = /^\p{N}+$/u;

/**
 * Whether the text is one email address, such as ana@example.com, that the mailer can write to. The forms and the mailer
 * ask this same function, so that there is no account whose every mail fails.
 * @param text without blanks around it
 * Rule: docs/rules/accounts.md, Validation
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxLength) return false; // first, so that a hostile text costs no time
  const [local = '', host = '', ...more] = text.split('@');
  if (more.length > 0 || local.length > maxLocalLength) return false;
  if (!local.split('.').every((part) => atom.test(part))) return false;
  const labels = host.split('.');
  if (labels.length < 2 || digits.test(labels.at(-1) ?? '')) return false; // 192.0.2.1 is no name of a host
  return labels.every((label) => hostLabel.test(label));
}
