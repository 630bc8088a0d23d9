/** Renders the content of an email as text and as HTML. */
import type { Units } from '../../shared/unitPrice';
import type { Clock } from '../core/clock';
import type { Db } from '../db/core/transact';
import type { MailRow } from './outbox';

export type EmailContent = {
  subject: string;
  /** What an inbox shows after the subject: the next fact. Hidden in the email, and not in its text version. */
  preheader: string;
  paragraphs: readonly string[];
  table?: { rows: readonly TableRow[]; total: TableRow };
  /** Lines that belong together, such as an address. */
  block?: { title: string; lines: readonly string[] };
  action?: { label: string; url: string };
  /** Why its recipient gets it, for the footer. */
  why: keyof typeof reasons;
  /** Where replies go; by default the shop's contact email. */
  replyTo?: string;
  /** Written by a person, so not marked as an automatic mail. */
  isWrittenByHand?: boolean;
};
const reasons = {
  ordered: (shop: string) => `You're getting this because you ordered from ${shop}.`,
  wrote: (shop: string) => `You're getting this because you wrote to ${shop}.`,
  owns: (shop: string) => `You're getting this because you own ${shop}.`,
  staff: (shop: string) => `You're getting this because you turned it on in your profile at ${shop}.`,
  account: () => 'This is a required email about your account.',
};
/** The shop's name, logo, and contact data, for the sender, head, and footer, and its time zone and units. */
export type Sender = {
  name: string;
  email: string;
  phone: string;
  /** Of several lines; may be empty. */
  address: string;
  /** A picture in twice its size. */
  logo?: { png: Buffer; width: number; height: number } | undefined;
  /** The color of buttons, unless it is the initial one. */
  accent?: string | undefined;
  timeZone: string;
  units: Units;
};
type TableRow = { label: string; amount: string };

export type EmailParts = {
  db: Db;
  clock: Clock;
  publicUrl: URL;
  /** `resetKey` derives the token of a reset link. */
  secrets: { readonly resetKey: Uint8Array };
  sender: Sender;
};

/** @returns the content of a mail, read when it is sent; undefined when there is nothing left to say */
export type EmailTemplate = (mail: MailRow, parts: EmailParts) => Promise<EmailContent | undefined>;

export function renderText({ paragraphs, table, block, action, why }: EmailContent, sender: Sender): string {
  const rows = table && [...table.rows, table.total].map(({ label, amount }) => `${label}  ${amount}`);
  return [
    ...paragraphs,
    ...(rows ? [rows.join('\n')] : []),
    ...(block ? [[`${block.title}:`, ...block.lines].join('\n')] : []),
    ...(action ? [`${action.label}: ${action.url}`] : []),
    footerOf(sender, why).join('\n'),
  ].join('\n\n');
}

export function renderHtml(content: EmailContent, sender: Sender): string {
  const { subject, preheader, paragraphs, table, block, action, why } = content;
  const parts = [
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph).replaceAll('\n', '<br>')}</p>`),
    ...(table ? [tableHtml(table)] : []),
    ...(block ? [`<p><strong>${escape(block.title)}</strong><br>${block.lines.map(escape).join('<br>')}</p>`] : []),
    ...(action
      ? [`<p><a href="${escape(action.url)}" style="${buttonStyle(sender.accent)}">${escape(action.label)}</a></p>`]
      : []),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px;background:#faf6f0;color:#2b1d14;font:16px/1.5 sans-serif">
<div style="display:none;max-height:0;overflow:hidden">${escape(preheader)}</div>
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
${logoHtml(sender)}<h1 style="margin:0 0 16px;font-size:22px">${escape(subject)}</h1>
${parts.join('\n')}
<p style="color:#6b5a4d;font-size:14px">${footerOf(sender, why).map(escape).join('<br>')}</p>
</div></body></html>
`;
}

const buttonStyle = (accent = '#8a3b12') =>
  `display:inline-block;padding:12px 20px;border-radius:8px;background:${accent};color:#ffffff;text-decoration:none`;

/** The content id of the logo, which is sent with the email: email programs load nothing from outside. */
export const logoId = 'logo';

const logoHtml = ({ name, logo }: Sender): string =>
  logo
    ? `<img src="cid:${logoId}" alt="${escape(name)}" width="${Math.ceil(logo.width / 2)}" height="${Math.ceil(logo.height / 2)}" style="display:block;margin:0 0 20px">\n`
    : '';

function tableHtml({ rows, total }: NonNullable<EmailContent['table']>): string {
  const row = ({ label, amount }: TableRow, cell: 'td' | 'th') =>
    `<tr><${cell} style="text-align:left;padding:4px 12px 4px 0">${escape(label)}</${cell}>` +
    `<${cell} style="text-align:right;padding:4px 0">${escape(amount)}</${cell}></tr>`;
  return `<table style="border-collapse:collapse;width:100%">${rows.map((one) => row(one, 'td')).join('')}${row(total, 'th')}</table>`;
}

export const footerOf = ({ name, email, phone, address }: Sender, why: EmailContent['why']) => [
  name,
  ...address.split('\n').filter(Boolean),
  [email, phone].filter(Boolean).join(' · '),
  reasons[why](name),
];

/** @returns the first words of a text that a person wrote, as a preheader */
export const beginningOf = (text: string): string => /^.{0,80}/u.exec(singleLine(text))?.[0] ?? '';

/** A single header line: user text can neither start another header nor be decoded as an encoded word. */
export const singleLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
