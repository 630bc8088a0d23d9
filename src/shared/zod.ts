import { config } from 'zod';

// zod would make code out of rules at run time, and tries at its first object whether it may: the shop's content policy
// refuses it, and Firefox says so in the console of every page with a form (docs/security.md). Before any rule is made.
config({ jitless: true });

export * from 'zod';
