import type { StaffPage } from '../../../shared/pages';
import type { Difference } from '../ui/ConflictPanel';

/** What the form of a page has. */
export interface PageValues {
  title: string;
  slug: string;
  markdown: string;
  isPublished: boolean;
}

export type PageField = keyof PageValues;

export const fieldLabels: Readonly<Record<PageField, string>> = {
  title: 'Title',
  slug: 'Address',
  markdown: 'Text',
  isPublished: 'Published',
};

export const emptyPage: PageValues = { title: '', slug: '', markdown: '', isPublished: false };

export const valuesOf = ({ title, slug, markdown, isPublished }: StaffPage): PageValues => ({
  title,
  slug,
  markdown,
  isPublished,
});

export const isSame = (values: PageValues, others: PageValues): boolean =>
  (Object.keys(fieldLabels) as PageField[]).every((field) => values[field] === others[field]);

/**
 * @param now the page in the shop
 * @param opened the form's initial values
 * @param yours the form's current values
 * @returns the fields that a colleague has changed to something else than this form has
 */
export function differencesOf(now: PageValues, opened: PageValues, yours: PageValues): Difference<PageField>[] {
  const text = (values: PageValues, field: PageField) => String(values[field]).trim();
  return (Object.keys(fieldLabels) as PageField[])
    .filter((field) => ![opened, yours].some((values) => text(values, field) === text(now, field)))
    .map((field) => ({
      field,
      yours: String(yours[field]),
      now: String(now[field]),
      isYoursToo: text(yours, field) !== text(opened, field),
    }));
}

/** @returns a value as the form shows it; of a text only the lines that differ from `other` */
export function inWords(field: PageField, value: string, other: string): string {
  if (field === 'isPublished') return value === 'true' ? 'Published' : 'Draft';
  return field === 'markdown' ? differingLines(value, other) : value;
}

function differingLines(text: string, other: string): string {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  const start = lines.findIndex((line, place) => line !== others[place]);
  if (start === -1) return lines.length === others.length ? text : '…';
  const shorter = Math.min(lines.length, others.length) - start;
  let same = 0;
  while (same < shorter && lines.at(-1 - same) === others.at(-1 - same)) same += 1;
  const end = lines.length - same;
  return [start > 0 && '…', ...lines.slice(start, end), end < lines.length && '…']
    .filter((line) => line !== false)
    .join('\n');
}
