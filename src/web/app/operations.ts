import { cartOperations } from '../cart/operations';
import { contactOperations } from '../contact/operations';
import { newVersion } from '../device/serviceWorker';

/** Every change that can wait on the device. Loaded with the first of them (shop.tsx hands it to the outbox). */
export const operations: typeof cartOperations & typeof contactOperations = { ...cartOperations, ...contactOperations };

/** What a tab does whose outbox holds a change that only a newer version of the shop knows. */
export const reload = (): void => void newVersion.take();
