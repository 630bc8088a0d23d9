/**
 * The fields changed in a form. A save sends only these, on top of the shop's current values, so it does not overwrite
 * what a colleague has changed meanwhile.
 * @param before the form's initial values
 * @returns the fields that differ from `before`
 */
export const changedFields = <Form extends object>(before: Form, after: Form): Partial<Form> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Form]),
    ),
  ) as Partial<Form>;
