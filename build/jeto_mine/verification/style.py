"""The page's style sheet, inline so that the page asks for nothing."""

from __future__ import annotations

from typing import Final

__all__ = ["STYLE"]

STYLE: Final = """
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --muted: #59636e;
  --ink: #1f2328; --paper: #fff; --add: #dafbe1; --del: #ffebe9; --hunk: #ddf4ff;
  --go: #1f6f3a; --stop: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23;
  --muted: #9198a1; --ink: #f0f6fc; --paper: #0d1117; --add: #12361f; --del: #4b1d1d;
  --hunk: #122d4b; --go: #3fb950; --stop: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
header { position: sticky; top: 0; z-index: 1; padding: .6rem 1.5rem .5rem;
  background: var(--paper); border-bottom: 1px solid var(--line); }
header .muted { margin-left: .8rem; }
.bar { height: 4px; margin-top: .4rem; border-radius: 2px; background: var(--line); }
.bar div { height: 100%; border-radius: 2px; background: var(--go); }
main { padding: 0 1.5rem 11rem; max-width: 1500px; margin: 0 auto; }
h1 { font-size: 1.35rem; margin: 1rem 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: .8rem; letter-spacing: .05em; text-transform: uppercase; color: var(--muted);
  margin: 1.1rem 0 .4rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; }
@media (max-width: 900px) { .columns { grid-template-columns: minmax(0, 1fr); } }
.muted { color: var(--muted); font-size: .87em; }
pre { margin: 0; border: 1px solid var(--line); border-radius: 6px; }
.prose { padding: .7rem .9rem; background: var(--soft); white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
  max-height: 26rem; overflow-y: auto; }
.diff { overflow-x: auto; font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
.diff span { display: block; padding: 0 .8rem; white-space: pre; width: max-content;
  min-width: 100%; }
.added { background: var(--add); } .removed { background: var(--del); }
.hunk { background: var(--hunk); color: var(--muted); }
.head { background: var(--soft); color: var(--muted); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem .9rem;
  margin: 0; font-size: .93em; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
table { border-collapse: collapse; width: 100%; font-size: .9em; }
th { text-align: left; font-weight: 600; color: var(--muted); }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.faster { color: var(--go); } .slower { color: var(--stop); }
form { position: fixed; bottom: 0; left: 0; right: 0; padding: .7rem 1.5rem .9rem;
  background: var(--paper); border-top: 1px solid var(--line);
  box-shadow: 0 -4px 16px rgb(0 0 0 / 12%); }
.questions { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .8rem; }
@media (max-width: 900px) { .questions { grid-template-columns: minmax(0, 1fr); }
  form { position: static; } main { padding-bottom: 2rem; } }
fieldset { border: 1px solid var(--line); border-radius: 6px; padding: .1rem .8rem .4rem;
  margin: 0; }
fieldset:focus-within { border-color: var(--go); }
legend { padding: 0 .3rem; font-weight: 600; font-size: .93em; }
fieldset label { margin-right: 1.6rem; cursor: pointer; }
.last { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: baseline;
  margin-top: .6rem; }
.note { display: flex; flex: 1 1 20rem; gap: .6rem; align-items: baseline; }
.note input { flex: 1; font: inherit; padding: .25rem .5rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--soft); color: inherit; }
button { font: inherit; font-weight: 600; padding: .35rem 1.3rem; border: 0; border-radius: 6px;
  background: var(--go); color: var(--paper); cursor: pointer; }
a { color: inherit; }
.problem { color: var(--stop); font-weight: 600; margin: 0 0 .5rem; }
"""
