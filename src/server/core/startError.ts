/** What keeps the shop, or one of its commands, from starting and a person can put right: its message says how. */
export class StartError extends Error {}
