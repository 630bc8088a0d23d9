/**
 * The owner's own texts. A page is a draft until it is published. A deleted one stays in the database, so that it can be
 * restored.
 * Rule: docs/rules/pages.md, Editing
 */
import { randomUUID } from 'node:crypto';
import type { BodyOf } from '../../shared/contract';
import { pageMessages } from '../../shared/pages';
import { pageLimits, pageStaffMessages as messages } from '../../shared/pagesStaff';
import { changed, writeAudit, type Facts } from '../audit/service';
import { factsChanged } from '../db/core/changes';
import { refuseViolation } from '../db/core/errors';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict, notFound, type FieldError } from '../http/core/problems';
import { notifySettings, pagesOnly } from '../settings/service';
import * as repository from './repository';
import type { PageRow } from './repository';

type Form = BodyOf<'updatePage'>;
type Sender = { by: Actor; now: Date };

/** Drafts too, in footer order, without the texts. */
export async function listPagesForStaff(connection: Connection, page: PageRequest) {
  const [rows, totalElements] = await Promise.all([
    repository.findListed(connection, page),
    repository.countListed(connection),
  ]);
  return { rows, totalElements };
}

/** The published pages, in footer order. */
export async function listPublishedPages(connection: Connection, page: PageRequest) {
  const [rows, totalElements] = await Promise.all([
    repository.findPublished(connection, page),
    repository.countPublished(connection),
  ]);
  return { rows, totalElements };
}

/** @throws Problem 404 page_not_found, also for a draft */
export async function getPublishedPage(connection: Connection, slug: string): Promise<PageRow> {
  const page = await repository.findPublishedAt(connection, slug);
  if (!page) throw pageNotFound();
  return page;
}

/** @throws Problem 404 page_not_found, also for a deleted one */
export async function getPageForStaff(connection: Connection, id: string): Promise<PageRow> {
  const page = await repository.findPage(connection, id);
  if (!page || page.archivedAt) throw pageNotFound();
  return page;
}

/**
 * Adds a page, last unless the form has a position. `form` has passed pageForm.
 * @throws Problem 409 slug_taken, too_many_pages
 * Rule: docs/rules/pages.md, Editing
 */
export async function createPage(tx: Tx, form: Form, { by, now }: Sender): Promise<PageRow> {
  const others = await repository.lockPages(tx);
  requireRoom(others);
  const position = Math.min(form.position ?? others.length, others.length);
  const page = { id: randomUUID(), ...factsOf(form), position, version: 1, changedAt: now, archivedAt: null };
  await refuseTakenSlug(repository.insertPage(tx, page));
  await placeAmong(tx, others, page);
  const target = { kind: 'page', id: page.id } as const;
  await writeAudit(tx, { by, action: 'page.created', target, after: audited(page), now });
  await notifyPages(tx);
  return page;
}

/**
 * Replaces a page; a deleted one is restored. With `version`, a form opened before another user's change is rejected.
 * @throws Problem 404 page_not_found, 409 page_changed with the current value of each field that differs, slug_taken,
 *   too_many_pages
 * Rule: docs/rules/pages.md, Editing
 */
export async function updatePage(tx: Tx, id: string, form: Form, { by, now }: Sender): Promise<PageRow> {
  const all = await repository.lockPages(tx);
  const before = await repository.findPage(tx, id);
  if (!before) throw pageNotFound();
  const others = all.filter((page) => page.id !== before.id);
  if (before.archivedAt) requireRoom(others);
  const facts = factsOf(form);
  const differences = changed(factsOf(before), facts);
  if (form.version !== undefined && form.version !== before.version && differences) throw pageChanged(before, facts);
  const isNew = differences !== undefined || before.archivedAt !== null;
  const position = Math.min(form.position ?? before.position, others.length);
  const page = {
    ...before,
    ...facts,
    position,
    archivedAt: null,
    ...(isNew && { version: before.version + 1, changedAt: now }),
  };
  await refuseTakenSlug(repository.changePage(tx, page));
  await placeAmong(tx, others, page);
  const change = changed(audited(before), audited(page));
  const action = before.archivedAt ? 'page.restored' : 'page.changed';
  if (change) await writeAudit(tx, { by, action, target: { kind: 'page', id: page.id }, ...change, now });
  await notifyPages(tx);
  return page;
}

/**
 * Deletes a page from every list.
 * @returns the page as it was, so that a form can restore it
 * @throws Problem 404 page_not_found, also when it is already deleted
 * Rule: docs/rules/pages.md, Editing
 */
export async function deletePage(tx: Tx, id: string, { by, now }: Sender): Promise<PageRow> {
  const all = await repository.lockPages(tx);
  const before = await getPageForStaff(tx, id);
  await repository.changePage(tx, { ...before, archivedAt: now });
  const rest = all.map((page) => page.id).filter((other) => other !== before.id);
  await repository.placePages(tx, rest);
  const target = { kind: 'page', id: before.id } as const;
  await writeAudit(tx, { by, action: 'page.deleted', target, before: audited(before), now });
  await notifyPages(tx);
  return before;
}

const factsOf = ({
  slug,
  title,
  markdown,
  isPublished,
}: Pick<PageRow, 'slug' | 'title' | 'markdown' | 'isPublished'>) => ({
  slug,
  title,
  markdown,
  isPublished,
});

/** With the whole text, so that the log proves what a policy said on a day. */
const audited = ({ position, archivedAt, ...page }: PageRow): Facts => ({
  ...factsOf(page),
  position,
  isArchived: archivedAt !== null,
});

/** Inserts it at its position; the others keep their order. */
const placeAmong = (tx: Tx, others: readonly { id: string }[], { id, position }: PageRow) =>
  repository.placePages(tx, others.map((page) => page.id).toSpliced(position, 0, id));

function requireRoom(others: readonly unknown[]): void {
  if (others.length >= pageLimits.pages) throw conflict('too_many_pages', messages.tooMany);
}

const fieldNames = ['title', 'slug', 'markdown', 'isPublished'] as const;

function pageChanged(is: PageRow, asked: ReturnType<typeof factsOf>) {
  const errors: FieldError[] = fieldNames
    .filter((field) => is[field] !== asked[field])
    .map((field) => ({ field, message: messages.changedMeanwhile, current: String(is[field]) }));
  return conflict('page_changed', messages.changedMeanwhile, errors);
}

const pageNotFound = () => notFound('page_not_found', pageMessages.notFound);

const refuseTakenSlug = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'pages_slug', () =>
    conflict('slug_taken', messages.slugTaken, [{ field: 'slug', message: messages.slugTaken }]),
  );

/** The footer is part of the shop's settings; the texts are part of the cached responses. */
async function notifyPages(tx: Tx): Promise<void> {
  await notifySettings(tx, pagesOnly);
  factsChanged(tx);
}
