/** The form of an id. A text that does not match belongs to nothing, and the database is not asked for it. */
export const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
