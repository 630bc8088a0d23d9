import { cartOperations } from '../cart/operations';
import { contactOperations } from '../contact/operations';
import { newVersion } from '../device/serviceWorker';
import { listOperations } from '../lists/operations';
import type { Definitions, OperationName } from '../outbox/operation';

/**
 * Every change that can wait on the device; one that is missing here does not compile. Loaded with the first of them
 * (shop.tsx hands it to the outbox).
 */
export const operations: typeof cartOperations & typeof contactOperations & typeof listOperations = {
  ...cartOperations,
  ...contactOperations,
  ...listOperations,
} satisfies Definitions<OperationName>;

/** What a tab does whose outbox holds a change that only a newer version of the shop knows. */
export const reload = (): void => void newVersion.take();
