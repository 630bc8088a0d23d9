/** What staff write about customers: notes and tags. Rule: docs/rules/back-office.md, A customer's page */

/** Number of tags, and lengths in characters. The contract has the same limits. */
export const customerLimits = { tags: 20, tag: 30, note: 2000 } as const;

export const customerMessages = {
  getCustomerSummary: { success: 'Customer', failure: "Couldn't load what this customer bought" },
  addCustomerNote: { success: 'Note added', failure: "Couldn't add the note. Try again." },
  setCustomerTags: { success: 'Tags saved', failure: "Couldn't save the tags. Try again." },
  listCustomerTags: { success: 'Tags', failure: "Couldn't load the tags" },
  noOrders: 'No orders yet.',
  noPaidOrder: 'No paid order yet',
  noMessages: 'No messages yet.',
  notLoggedIn: 'Sent without logging in',
  notesHint: 'Only staff can see notes.',
  tagHint: 'Only staff can see tags.',
  tagRemoved: (tag: string) => `Tag removed: ${tag}`,
  isNoNote: 'Enter a note',
  isNoTag: 'Enter a tag, such as wholesale',
  isKnownTag: (tag: string) => `This customer already has the tag "${tag}"`,
  tooManyTags: `A customer can have up to ${customerLimits.tags} tags. Remove one first.`,
} as const;

/** Tags that differ only in case are one tag. */
export const tagKey = (tag: string): string => tag.toLowerCase();

/** @returns the tags with single spaces, without empty ones, and each once, as first spelled */
export function cleanTags(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.normalize('NFC').replaceAll(/\s+/gu, ' ').trim());
  return onceEach(trimmed.filter((tag) => tag !== ''));
}

/**
 * Applies what a person changed to the tags that are stored now, so that two people at once lose nothing.
 * @param change.seen the tags before the change
 */
export function mergeTags(
  stored: readonly string[],
  { tags, seen }: { tags: readonly string[]; seen: readonly string[] },
): string[] {
  const keys = (some: readonly string[]) => new Set(some.map(tagKey));
  const [before, after] = [keys(seen), keys(tags)];
  const kept = stored.filter((tag) => after.has(tagKey(tag)) || !before.has(tagKey(tag)));
  return onceEach([...kept, ...tags.filter((tag) => !before.has(tagKey(tag)))]);
}

function onceEach(tags: readonly string[]): string[] {
  const keys = tags.map(tagKey);
  return tags.filter((tag, place) => keys.indexOf(tagKey(tag)) === place);
}
