import { ofWaitingOrders } from './waitingOrders.mjs';

/**
 * Defects of the device layer that the tests must catch. The sentence says what the shop would do wrong; it stays when the
 * code is rewritten, and the place to plant it is then written anew. `find` stands exactly once in the file.
 *
 * @typedef {{ name: string, file: string, find: string, put: string }} Place
 * @typedef {Place & ({ caughtBy: string[] } | { walk: [engine: string, title: string] })} Defect
 * @type {Defect[]}
 */
export const defects = [
  {
    name: 'a change is told to be kept and is not written to the device',
    file: 'src/web/outbox/storage.ts',
    find: `return joined ?? { ...entry, order: await table.add(entry) };`,
    put: `return joined ?? { ...entry, order: await table.count() };`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a change is deleted from the device before the shop has answered',
    file: 'src/web/outbox/storage.ts',
    find: `await table.bulkPut(kept.filter((row) => keys.includes(row.key)));`,
    put: `await table.bulkDelete(kept.filter((row) => keys.includes(row.key)).map(({ order }) => order));`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a change is sent again under a new Idempotency-Key, and done twice',
    file: 'src/web/outbox/openOutbox.ts',
    find: `{ ...keyed(key), signal, ...batch }`,
    put: `{ ...keyed(key && crypto.randomUUID()), signal, ...batch }`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a change that was sent already, and may have been done, is merged with the next',
    file: 'src/web/outbox/storage.ts',
    find: `if (last.wasSent || wasSent ||`,
    put: `if (wasSent ||`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'the newest change is sent first',
    file: 'src/web/outbox/sendable.ts',
    find: `for (const entry of queue.kept) {`,
    put: `for (const entry of [...queue.kept].reverse()) {`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a change that the shop refused is dropped, and nobody is told why',
    file: 'src/web/outbox/queue.ts',
    find: `isFormsOwn ? { type: 'remove', keys: [entry.key] } : refuse);`,
    put: `refuse.key ? { type: 'remove', keys: [entry.key] } : refuse);`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a refused change is sent again and again without its user',
    file: 'src/web/outbox/sendable.ts',
    find: `if (entry.state !== 'waiting' || queue.answered.has(entry.key)) continue;`,
    put: `if (queue.answered.has(entry.key)) continue;`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'an answered change stays on the device until the queue is empty, and may be sent again behind later ones',
    file: 'src/web/outbox/queue.ts',
    find: `    if (keys.length > 0) this.#goTo({ at: 'delete' }`,
    put: `    if (keys.length === this.queue.kept.length && keys.length > 0) this.#goTo({ at: 'delete' }`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'changes of a batch that were made stay unmarked, and are merged with later ones',
    file: 'src/web/outbox/storage.ts',
    find: `  keys.includes(entry.key) ? { ...entry, wasSent: true } : entry;`,
    put: `  keys[0] === entry.key ? { ...entry, wasSent: true } : entry;`,
    caughtBy: ['web/outbox/batch.test'],
  },
  {
    name: 'what is behind the refused change of a batch counts as done',
    file: 'src/server/http/batch.ts',
    find: `      if (answer.status >= 400) break;`,
    put: `      if (answer.status >= 500) break;`,
    caughtBy: ['server/http/batch.test'],
  },
  {
    name: 'two tabs send at once, because nobody takes the lock',
    file: 'src/web/outbox/openOutbox.ts',
    find: `withLock(outboxLock, work)`,
    put: `withLock(outboxLock + Math.random(), work)`,
    caughtBy: ['web/outbox/twoReleases.test'],
  },
  {
    name: 'a page that is gone asks for the lock again and again, and its browser stands still',
    file: 'src/web/outbox/queue.ts',
    find: `    this.queue.isAsked = this.queue.run.at !== 'rest';
    if (!this.queue.isAsked)`,
    put: `    this.queue.isAsked ||= this.queue.run.at !== 'rest';
    if (this.queue.run.at === 'rest')`,
    caughtBy: ['web/outbox/queue.test'],
  },
  {
    name: 'the other tabs do not hear that a change was made or answered',
    file: 'src/web/outbox/openOutbox.ts',
    find: `tellOthers: (message) => isClosed || otherTabs.tell(message),`,
    put: `tellOthers: (message) => !isClosed || otherTabs.tell(message),`,
    caughtBy: ['web/outbox/twoReleases.test'],
  },
  {
    name: 'on a network that stalls a change counts as sent, though the shop was not asked whether it is there',
    file: 'src/web/outbox/queue.ts',
    find: `return this.#goTo({ at: 'confirm' }, { type: 'confirm' });`,
    put: `return this.#mark();`,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'the changes of somebody else hold up those of the user who is signed in',
    file: 'src/web/outbox/sendable.ts',
    find: `: userId === owner;`,
    put: `: userId !== owner || userId === owner;`,
    caughtBy: ['web/device/recorded.test'],
  },
  {
    name: 'a change is sent with a cookie that belongs to somebody else by now',
    file: 'src/web/outbox/openOutbox.ts',
    find: `  if (userId !== visitor && !(await speaksFor(userId))) throw sealed();
`,
    put: ``,
    caughtBy: ['web/outbox/outbox.test'],
  },
  {
    name: 'a visitor’s message is sent in the name of whoever is signed in',
    file: 'src/web/contact/operations.ts',
    find: `userId === visitor ? apiForVisitors : api;`,
    put: `userId === visitor && !apiForVisitors ? apiForVisitors : api;`,
    caughtBy: ['web/device/recorded.test'],
  },
  {
    name: 'a session that ended counts as the shop’s refusal of the change',
    file: 'src/web/outbox/queue.ts',
    find: `    if (error.status === 401) return this.#stop(error);
`,
    put: ``,
    caughtBy: ['web/server/session.test'],
  },
  {
    name: 'a change that waits for a duty of its user is refused for good',
    file: 'src/web/outbox/queue.ts',
    find: `isRefusal(error) && !dutyByCode[error.code];`,
    put: `isRefusal(error) && dutyByCode !== undefined;`,
    caughtBy: ['web/auth/auth.test'],
  },
  {
    name: 'removing a line that another device removed first is shown as refused',
    file: 'src/web/cart/operations.ts',
    find: `isDone: ({ code }) => code === 'cart_item_not_found',`,
    put: `isDone: () => false,`,
    caughtBy: ['web/outbox/twoDevices.test'],
  },
  {
    name: 'a logout leaves the unsent changes of its user on the device',
    file: 'src/web/outbox/storage.ts',
    find: 'void (await table.where({ userId }).delete())',
    put: 'void (await table.where({ userId }).count())',
    caughtBy: ['web/auth/logout.test'],
  },
  {
    name: 'a session that ended by itself takes what waits with it',
    file: 'src/web/app/shop.tsx',
    find: `if (before !== undefined) void wipeAnswersOf(before).catch(() => undefined);`,
    put: `if (before !== undefined) void outbox.forget(before).then(() => wipeAnswersOf(before), () => undefined);`,
    caughtBy: ['web/server/session.test'],
  },
  {
    name: 'a tab keeps a change of a user who signed out in another tab',
    file: 'src/web/outbox/openOutbox.ts',
    find: '(userId) => isOf(userId, session.stored()),',
    put: '() => true,',
    caughtBy: ['web/auth/logout.test'],
  },
  {
    name: 'after a logout without a connection other calls go out before the session is ended',
    file: 'src/web/server/send.ts',
    find: `    await payLogout(request.signal);
`,
    put: `    void payLogout(request.signal).catch(() => undefined);
`,
    caughtBy: ['web/auth/logout.test'],
  },
  {
    name: 'the answer of a change does not reach the cart that is shown',
    file: 'src/web/cart/operations.ts',
    find: `  cache.setQueryData<Cart>(queryKey, next);
`,
    put: `  if (cache.isMutating() < 0) cache.setQueryData<Cart>(queryKey, next);
`,
    caughtBy: ['web/outbox/outbox.test', 'web/cart/cart.test', 'web/cart/removal.test'],
  },
  {
    name: 'a reading of the cart that was asked before a change undoes what the change was answered',
    file: 'src/web/cart/operations.ts',
    find: `  const wasReading = cache.isFetching({ queryKey }) > 0;
  void cache.cancelQueries({ queryKey });`,
    put: `  const wasReading = false;`,
    caughtBy: ['web/device/offline.test'],
  },
  {
    name: 'what a public network answers in the shop’s place counts as the shop’s answer',
    file: 'src/web/server/send.ts',
    find: `return status === 204 || /json|csv/.test(headers.get('content-type') ?? '');`,
    put: `return status > 0 || headers.has('content-type');`,
    caughtBy: ['web/device/offline.test'],
  },
  {
    name: 'on a full disk a change is refused instead of being sent from the page',
    file: 'src/web/outbox/storage.ts',
    find: 'if (error instanceof ApiError) throw error;',
    put: 'if (error instanceof Error) throw error;',
    caughtBy: ['web/device/offline.test'],
  },
  {
    name: 'what a visitor wanted goes into the cart of whoever another tab signs in as',
    file: 'src/web/app/shop.tsx',
    find: `    forgetOthersIntentions(next);
`,
    put: ``,
    caughtBy: ['web/auth/auth.test'],
  },
  {
    name: 'orders that a logout left behind stay on the device',
    file: 'src/web/device/orders.ts',
    find: `await orders().delete();`,
    put: `await orders().count();`,
    caughtBy: ['web/device/orders.test'],
  },
  {
    name: 'the outbox waits under another lock than the release before',
    file: 'src/shared/deviceNames.ts',
    find: `export const outboxLock = 'outbox';`,
    put: `export const outboxLock = 'outbox-2';`,
    caughtBy: ['shared/deviceNames.test', 'web/outbox/twoReleases.test'],
  },
  {
    name: 'a login without Remember me goes on after the browser was closed',
    file: 'src/web/server/session.ts',
    find: `hasEndedWithBrowser() ? undefined : readJson(sessionKey)`,
    put: `readJson(sessionKey)`,
    caughtBy: ['web/auth/rememberMe.test'],
  },
  {
    name: 'what a login without Remember me saved is on the device still after the browser was closed',
    file: 'src/web/device/endedSession.ts',
    find: `for (const key of answers) localStorage.removeItem(key);`,
    put: `void answers;`,
    caughtBy: ['web/auth/rememberMe.test'],
  },
  {
    name: 'a login with Remember me ends with the browser, since one before it did',
    file: 'src/web/auth/rememberMe.ts',
    find: `if (isRemembered) return forgetLifetime();`,
    put: `if (isRemembered) return;`,
    caughtBy: ['web/auth/rememberMe.test'],
  },
  {
    name: 'what the shop says of a list that cannot be read is not shown',
    file: 'src/web/connection/ReadFailure.tsx',
    find: `sentenceOf(error, useIsOnline() ? failure : offlineSays.notHere)`,
    put: `sentenceOf(undefined, useIsOnline() ? failure : offlineSays.notHere)`,
    caughtBy: ['web/sentences/reads.test'],
  },
  {
    name: 'what the shop says of a payment that it cannot tell is not shown',
    file: 'src/web/checkout/PaymentResultPage.tsx',
    find: `sentenceOf(error, orderSays.paymentFailed)`,
    put: `sentenceOf(undefined, orderSays.paymentFailed)`,
    caughtBy: ['web/sentences/reads.test'],
  },
  {
    name: 'the walk: in Firefox a page opened without the server is the error page of the browser',
    file: 'sw/caching.ts',
    find: `answer.type === 'error' || `,
    put: ``,
    walk: ['firefox', 'opens cold'],
  },
  {
    name: 'the walk: a browser without Web Locks sends no change',
    file: 'src/web/browser/locks.ts',
    find: `return locks ? locks.request(name, signal ? { signal } : {}, work) : work();`,
    put: `return (locks as LockManager).request(name, signal ? { signal } : {}, work);`,
    walk: ['firefox', 'without Web Locks'],
  },
  {
    name: 'the walk: a browser that tells nothing of its storage does not keep the shop',
    file: 'src/web/device/persist.ts',
    find: `if (storage?.persist && !(await storage.persisted())) await storage.persist();`,
    put: `if (!(await (storage as StorageManager).persisted())) await navigator.storage.persist();`,
    walk: ['firefox', 'without Web Locks'],
  },
  {
    name: 'the walk: a toast is shown only by a browser that tells its brand',
    file: 'src/web/ui/toast.ts',
    find: `const role = kind === 'error' ? 'alert' : 'status';`,
    put: `const role = (navigator as unknown as { userAgentData: { mobile: boolean } }).userAgentData.mobile ? 'alert' : 'status';`,
    walk: ['webkit', 'a newcomer browses'],
  },
  {
    name: 'the total: the payment session asks for a cent less than the order',
    file: 'src/server/payments/paidParts.ts',
    find: `    tax: taxCents > 0 ? { name: taxNameOf(order), cents: taxCents } : null,`,
    put: `    tax: taxCents > 1 ? { name: taxNameOf(order), cents: taxCents - 1 } : null,`,
    caughtBy: ['server/payments/refundLines.test'],
  },
  {
    name: 'the total: a discount code is used once more than it may be',
    file: 'src/server/orders/terms.ts',
    find: `'maxUses', max_uses, 'maxUsesPerCustomer'`,
    put: `'maxUses', max_uses + 1, 'maxUsesPerCustomer'`,
    caughtBy: ['server/orders/total.test'],
  },
  {
    name: 'the total: a refund by lines gives back its share of the tax and a cent',
    file: 'src/shared/total.ts',
    find: `    const taxCents = Math.min(unitsOf(line.taxCents, line, units), rest.taxCents);`,
    put: `    const taxCents = Math.min(unitsOf(line.taxCents, line, units) + 1, rest.taxCents);`,
    caughtBy: ['server/payments/refundLines.test'],
  },
  {
    name: 'the total: units of a line are given back a second time',
    file: 'src/server/payments/refundParts.ts',
    find: `    if (units > unitsLeft) throw`,
    put: `    if (units > unitsLeft + 99) throw`,
    caughtBy: ['server/payments/refundLines.test'],
  },
  {
    name: 'the total: the tax line of an order is of another state',
    file: 'src/server/orders/placing.ts',
    find: `  taxState: rate?.state ?? null,`,
    put: `  taxState: rate && 'NV',`,
    caughtBy: ['server/orders/total.test'],
  },
  ...ofWaitingOrders,
];
