export const STYLE_PATH = "/oauth/style.css";

/** The one style sheet of the pages. It loads nothing. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --dim: #5a6070; --line: #d7dae2; --back: #fff; --accent: #1f5fd0; --stop: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef3; --dim: #a3a9b8; --line: #3a3f4c; --back: #14161b; --accent: #7aa7ff; --stop: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p, ul { margin: .5rem 0; overflow-wrap: anywhere; }
ul { padding-left: 1.25rem; }
.dim { color: var(--dim); font-size: .9rem; }
.note { border: 1px solid var(--line); border-left: 4px solid var(--stop); padding: .5rem .75rem; border-radius: .25rem; }
.code { font: 1.5rem ui-monospace, monospace; letter-spacing: .1em; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .35rem; }
button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; border-radius: .35rem; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--back); }
button.link { border: 0; padding: 0; color: var(--accent); font-weight: 400; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
li.grant { list-style: none; border: 1px solid var(--line); border-radius: .35rem; padding: .75rem; margin: .75rem 0; }
ul.grants { padding: 0; }
`.trim();
