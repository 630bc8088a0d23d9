/**
 * What somebody changed in a form. A save sends it on top of what the shop has by then, so that it leaves alone what a
 * colleague has changed meanwhile.
 * @param before what the form began with
 * @returns the fields that differ from `before`
 */
export const changedFields = <Form extends object>(before: Form, after: Form): Partial<Form> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Form]),
    ),
  ) as Partial<Form>;
