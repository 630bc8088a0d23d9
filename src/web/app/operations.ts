import { cartOperations } from '../cart/operations';
import { contactOperations } from '../contact/operations';
import { newVersion } from '../device/serviceWorker';
import { listOperations } from '../lists/core/operations';
import type { Definitions, OperationName } from '../outbox/operation';

/**
 * All changes that can wait on the device; a missing one is a compile error. Loaded with the first change (shop.tsx
 * passes the loader to the outbox).
 */
export const operations: typeof cartOperations & typeof contactOperations & typeof listOperations = {
  ...cartOperations,
  ...contactOperations,
  ...listOperations,
} satisfies Definitions<OperationName>;

/** Called when the outbox holds a change that only a newer version of the app knows. */
export const reload = (): void => void newVersion.activate();
