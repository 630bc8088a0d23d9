/**
 * Asks the browser to keep what this device has until its user deletes it: of an installed shop, and from the first list
 * on. What it answers is its own affair. Rule: docs/rules/offline.md, Installing
 */
export async function askToPersist(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined; // absent where the shop is not served securely
  if (storage?.persist && !(await storage.persisted())) await storage.persist();
}
