"""What the benchmark's page adds to the style sheet of reports."""

STYLE = """
main { max-width: 1240px; }
table.bench { width: auto; min-width: 60%; }
table.bench th, table.bench td { overflow-wrap: normal; }
table.bench thead th { text-align: right; white-space: nowrap; }
table.bench thead th.group { text-align: center; color: var(--ink); font-size: .93rem; }
table.bench thead th:first-child, table.bench tbody th { text-align: left; white-space: nowrap; }
table.bench td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  vertical-align: top; line-height: 1.35; }
table.bench tbody th { vertical-align: top; line-height: 1.35; }
table.bench td.word, table.bench thead th.word { text-align: left; }
table.bench .start { border-left: 1px solid var(--rule); }
table.bench tbody tr:hover { background: var(--box); }
table.bench small { display: block; color: var(--soft); font-size: .8rem; }
table.bench .none { color: var(--soft); }
table.bench .yes { color: var(--correct); } table.bench .no { color: var(--extra); }
table.bench .mark { display: inline-block; width: 1.2em; text-align: center; }
table.bench tbody th sup { padding-left: .25rem; }
table.bench sup, .notes sup { color: var(--soft); font-size: .7rem; line-height: 0; }
.notes { color: var(--soft); font-size: .85rem; padding: 0; margin: .4rem 0 0; list-style: none; }
.contents { columns: 17rem; padding-left: 1.1rem; font-size: .92rem; }
.read { max-width: 62rem; font-size: .92rem; }
a { color: var(--accent); }
figure.plot { margin: 1rem 0; } figure.plot svg { display: block; max-width: 100%; height: auto; }
dl.made { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; }
dl.made dt { color: var(--soft); } dl.made dd { margin: 0; overflow-wrap: anywhere; }
"""
