import { config } from 'zod';

// By default zod compiles rules to code at run time and probes for that with its first object. The shop's content
// security policy blocks the probe, and Firefox reports it in the console of every page with a form (docs/security.md).
// So this must run before any rule is created.
config({ jitless: true });

export * from 'zod';
