"""The style sheet of the page: light and dark, screen and paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #ffffff; --ink: #1d2129; --soft: #5d6675; --rule: #e1e4e8;
  --accent: #2457a6; --band: #2457a62e; --box: #eef3fb; --box-rule: #8fabd6;
  --correct: #1f7a4d; --extra: #c2570c; --reversed: #8a3ab9; --missing: #6b7280;
  --care: #fff6e0; --care-rule: #e0a100;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --card: #1c2027; --ink: #e6e9ee; --soft: #a0a9b8; --rule: #323945;
    --accent: #8db4f5; --band: #8db4f533; --box: #253146; --box-rule: #58759f;
    --correct: #5fcf97; --extra: #ff9d52; --reversed: #d09bf2; --missing: #929cad;
    --care: #2f2713; --care-rule: #c99a1e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 1120px; margin: 0 auto; padding: 2.2rem 1.4rem 3rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .7rem; }
h3 { font-size: .95rem; margin: 0 0 .35rem; overflow-wrap: anywhere; }
p { max-width: 46rem; margin: .5rem 0; }
.lead { color: var(--soft); font-size: 1.06rem; margin: 0 0 1.2rem; }
.soft { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(158px, 1fr)); gap: .7rem;
  margin: 1rem 0; padding: 0; }
.tiles div {
  background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: .55rem .95rem;
}
.tiles dt { color: var(--soft); font-size: .8rem; }
.tiles dd { margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tiles dd small { display: block; font-size: .76rem; font-weight: 400; color: var(--soft);
  line-height: 1.3; }
.care {
  background: var(--care); border-left: 4px solid var(--care-rule); border-radius: 6px;
  padding: .6rem 1rem; margin: 1rem 0; overflow-wrap: anywhere;
}
.care ul { margin: .3rem 0; padding-left: 1.2rem; }
figure {
  margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 12px;
  padding: .6rem; overflow-x: auto;
}
figcaption { color: var(--soft); font-size: .88rem; padding: .4rem .5rem .2rem; }
svg.graph { display: block; margin: 0 auto; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink);
  text-anchor: middle; }
.node rect { fill: var(--box); stroke: var(--box-rule); stroke-width: 1.2; }
.edge { fill: none; stroke: var(--accent); opacity: .85; }
.edge:hover { opacity: 1; stroke-width: 4.5; }
.head { fill: var(--accent); }
.edge.correct { stroke: var(--correct); } .head.correct { fill: var(--correct); }
.edge.extra { stroke: var(--extra); stroke-dasharray: 9 3; } .head.extra { fill: var(--extra); }
.edge.reversed { stroke: var(--reversed); stroke-dasharray: 12 3 2 3; }
.head.reversed { fill: var(--reversed); }
.edge.missing { stroke: var(--missing); stroke-dasharray: 2 4; }
.head.missing { fill: var(--missing); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; list-style: none; margin: .3rem 0 0;
  padding: 0 .5rem; font-size: .88rem; }
.legend svg { width: 40px; height: 10px; margin-right: .45rem; vertical-align: middle; }
.order { display: flex; flex-wrap: wrap; gap: .35rem .3rem; list-style: none; padding: 0;
  margin: .6rem 0; }
.order li { display: flex; align-items: center; gap: .3rem; }
.order li + li::before { content: "→"; color: var(--soft); }
.chip { background: var(--box); border: 1px solid var(--box-rule); border-radius: 999px;
  padding: .08rem .7rem; font-size: .92rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: .93rem;
  border: 1px solid var(--rule); }
caption { text-align: left; color: var(--soft); font-size: .88rem; padding: .2rem 0 .5rem; }
th, td { padding: .34rem .75rem; text-align: left; border-bottom: 1px solid var(--rule);
  overflow-wrap: anywhere; max-width: 19rem; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: .84rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { display: inline-block; height: .55rem; border-radius: 3px; background: var(--accent);
  margin-left: .5rem; vertical-align: middle; }
.track { display: inline-block; width: 70px; text-align: left; }
.mark { font-weight: 600; white-space: nowrap; }
.mark.correct { color: var(--correct); } .mark.extra { color: var(--extra); }
.mark.reversed { color: var(--reversed); } .mark.missing { color: var(--missing); }
.effects { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr));
  gap: .9rem; }
.effects section { background: var(--card); border: 1px solid var(--rule); border-radius: 12px;
  padding: .7rem .8rem .4rem; break-inside: avoid; }
svg.effect { width: 100%; height: auto; display: block; }
svg.effect text { font-size: 11.5px; } svg.effect .tick { font-size: 10px; fill: var(--soft); }
svg.effect .left { text-anchor: end; } svg.effect .side { text-anchor: start; }
.axis { fill: none; stroke: var(--soft); stroke-width: 1; }
.grid { stroke: var(--rule); stroke-width: 1; }
.zero { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 3; }
.band { fill: var(--band); } .curve { fill: none; stroke: var(--accent); stroke-width: 2; }
.limit { fill: none; stroke: var(--accent); stroke-dasharray: 7 4; }
.rug { stroke: var(--soft); stroke-width: 1; opacity: .55; }
footer { margin-top: 3rem; border-top: 1px solid var(--rule); padding-top: .8rem;
  color: var(--soft); font-size: .85rem; }
code { font: .9em ui-monospace, "Cascadia Mono", Menlo, monospace; }
@media print {
  :root { --page: #fff; }
  main { max-width: none; padding: 0; }
  figure, .scroll { overflow: visible; }
  svg.graph { max-width: 100%; height: auto; }
  h2 { break-after: avoid; } tr, figure, .tiles div { break-inside: avoid; }
}
"""
