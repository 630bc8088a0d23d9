/** How an id looks. What does not match is nobody's, and is never asked for in the database. */
export const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
