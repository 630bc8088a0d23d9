import { createHash } from 'node:crypto';

/** The style of the payment pages: neutral, with the system's font and color scheme. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1a1f36; --quiet: #545b6b; --line: #d5dae1;
  --action: #1f5fd0; --action-text: #fff; --error: #b3152a; --error-page: #fdf0f1; --test: #fff3cd; --test-text: #5c4400;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --card: #1b2029; --text: #eceff4; --quiet: #a9b1bf; --line: #3a4250;
    --action: #8ab4ff; --action-text: #0c1a33; --error: #ff9aa5; --error-page: #331c20; --test: #3d3210; --test-text: #ffe08a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.test { margin: 0; padding: .5rem 1rem; background: var(--test); color: var(--test-text); text-align: center; font-weight: 600; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: .5rem 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 1rem; font-size: 1.125rem; }
a { color: var(--action); }
.back { display: inline-block; padding: .25rem 0; }
.columns { display: grid; gap: 1.5rem; }
@media (min-width: 48rem) { .columns { grid-template-columns: 1fr 1fr; align-items: start; } }
.card { padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th:last-child, td:last-child { padding-left: .75rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot th, tfoot td { border: 0; font-weight: 700; }
.quantity { display: block; color: var(--quiet); font-size: .875rem; }
.field { margin-bottom: 1rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 0 1rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; background: var(--card); color: var(--text); border: 1px solid var(--quiet); border-radius: .5rem; font: inherit; }
input::placeholder { color: var(--quiet); opacity: 1; }
input[aria-invalid] { border-color: var(--error); }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
.error { margin: .25rem 0 0; color: var(--error); font-size: .875rem; }
.alert { margin: 0 0 1rem; padding: .75rem 1rem; background: var(--error-page); color: var(--error); border: 1px solid; border-radius: .5rem; }
button { width: 100%; min-height: 3rem; margin-top: .25rem; padding: .5rem 1rem; background: var(--action); color: var(--action-text); border: 1px solid var(--action); border-radius: .5rem; font: inherit; font-weight: 700; cursor: pointer; }
button.quiet { background: transparent; color: var(--action); }
button + button { margin-top: .75rem; }
details { margin-top: 1rem; color: var(--quiet); font-size: .875rem; }
summary { padding: .25rem 0; cursor: pointer; }
ul { margin: .5rem 0 0; padding-left: 1.25rem; }
.narrow { max-width: 30rem; margin: 0 auto; }
`;

/** The content-policy source that allows only this style. */
export const pageStyleSource = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;
