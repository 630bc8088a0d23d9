/**
 * Asks the browser to keep this device's data until the user deletes it: called for an installed shop, and from the
 * first list on. The browser may decline. Rule: docs/rules/offline.md, Installing
 */
export async function askToPersist(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined; // missing on insecure origins
  if (storage?.persist && !(await storage.persisted())) await storage.persist();
}
