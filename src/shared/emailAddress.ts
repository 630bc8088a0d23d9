// in characters; RFC 5321, 4.5.3.1
const maxLength = 254;
const maxLocalLength = 64;

/**
 * The parts between dots before the @: no space, no quote, and no character that separates addresses in a mail header.
 */
const atom = /^[^\s\p{C}<>()[\]\\.,;:"@]+$/u;
/** The labels of the host: letters of any script and digits, with hyphens in between. */
const hostLabel = /^[\p{L}\p{M}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?$/u;
const digits = /^\p{N}+$/u;

/**
 * Whether the text is one email address, such as ana@example.com, that the mailer can send to. Forms and mailer share
 * this function; otherwise an account could exist whose mails all fail.
 * @param text without surrounding spaces
 * Rule: docs/rules/accounts.md, Validation
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxLength) return false; // first, so that a huge input costs no time
  const [local = '', host = '', ...more] = text.split('@');
  if (more.length > 0 || local.length > maxLocalLength) return false;
  if (!local.split('.').every((part) => atom.test(part))) return false;
  const labels = host.split('.');
  if (labels.length < 2 || digits.test(labels.at(-1) ?? '')) return false; // 192.0.2.1 is not a host name
  return labels.every((label) => hostLabel.test(label));
}
