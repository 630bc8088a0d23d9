/** The form of an id. A text that does not match cannot exist, so the database is not queried for it. */
export const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An id as the database writes it, in lower case; other texts unchanged. A caller may send it in capitals. */
export const storedId = <Id extends string | null>(id: Id): Id =>
  (id !== null && uuidPattern.test(id) ? id.toLowerCase() : id) as Id;
