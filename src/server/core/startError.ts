/** An error at startup, of the shop or one of its commands, that a person can fix: its message says how. */
export class StartError extends Error {}
