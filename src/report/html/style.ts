export const pageStyle = `:root {
  color-scheme: light dark; --back: #f4f5f8; --card: #ffffff; --raised: #f6f7fa; --ink: #171a21; --soft: #565e6c;
  --line: #e1e4ea; --accent: #4338ca; --accent-back: #eceafe; --good: #11692f; --good-back: #dff5e5;
  --fair: #85500b; --fair-back: #fdefcf; --bad: #b01a1a; --bad-back: #fde3e1; --note: #1d4ed8; --note-back: #e4edfe;
  --mark: #fde68a; --shadow: 0 1px 2px rgb(20 24 40 / 5%), 0 6px 20px rgb(20 24 40 / 5%);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0e1015; --card: #171a21; --raised: #1f232c; --ink: #e8eaf0; --soft: #a2a9b8; --line: #2c313c;
    --accent: #b4b0ff; --accent-back: #2a2856; --good: #7ee2a0; --good-back: #12351f; --fair: #f8ce74;
    --fair-back: #3d2c0b; --bad: #ffa19a; --bad-back: #451a1a; --note: #9cc2ff; --note-back: #182c50;
    --mark: #6b5510; --shadow: none
  }
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 16px / 1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif
}
main { max-width: 1240px; margin: 0 auto; padding: 28px 24px 40px }
h1, h2, h3, p { margin: 0; overflow-wrap: anywhere }
h1 {
  font-size: clamp(1.4rem, 1.1rem + 1.5vw, 2.1rem); line-height: 1.25; letter-spacing: -0.015em; font-weight: 680;
  text-wrap: balance
}
h2, .block h3 { font-weight: 650; text-transform: uppercase; color: var(--soft) }
h2 { margin-bottom: 14px; font-size: 0.82rem; letter-spacing: 0.06em }
h3 { font-size: 1rem }
.block h3 { margin-bottom: 4px; font-size: 0.75rem; letter-spacing: 0.04em }
code, pre, .place { font-family: var(--mono); font-size: 0.86em }
pre {
  margin: 0; padding: 12px 14px; overflow: auto; max-height: 26rem; border-radius: 8px; background: var(--raised);
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5
}
ul, ol { margin: 0; padding-left: 1.4em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip, .unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap
}
.skip:focus {
  z-index: 2; width: auto; height: auto; padding: 8px 14px; clip-path: none; background: var(--card);
  color: var(--accent)
}
.head { display: flex; align-items: flex-start; justify-content: space-between; gap: 28px; margin: 0 4px 24px }
.brand {
  display: flex; align-items: center; gap: 7px; margin-bottom: 8px; font-size: 0.85rem; font-weight: 600;
  color: var(--accent)
}
.brand svg { width: 17px; height: 17px; fill: currentColor; stroke: currentColor; stroke-width: 1.3 }
.figures, .legend, .swatches {
  display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; font-size: 0.84rem; color: var(--soft)
}
.figures { align-items: center; margin-top: 14px; font-size: 0.9rem }
.legend { column-gap: 20px; margin-top: 20px; padding-top: 14px; border-top: 1px solid var(--line) }
.swatches { margin-top: 8px }
.answered, .supported, .high { --tone: var(--good); --tone-back: var(--good-back) }
.partial, .cancelled, .middle { --tone: var(--fair); --tone-back: var(--fair-back) }
.failed, .unsupported, .contradicted, .unanswered, .low { --tone: var(--bad); --tone-back: var(--bad-back) }
.status, .verdict, .tag {
  display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: 0.8rem; font-weight: 600;
  color: var(--tone, var(--soft)); background: var(--tone-back, var(--raised))
}
.verdict.contradicted { text-decoration: underline double }
.tag { color: var(--accent); background: var(--accent-back) }
.ring { position: relative; flex: none; width: 104px; text-align: center; color: var(--tone, var(--soft)) }
.ring svg { display: block; width: 104px; height: 104px }
.ring circle { fill: none; stroke-width: 3 }
.ring .track { stroke: var(--line) }
.ring .arc { stroke: currentColor; stroke-linecap: round }
.ring.unknown .arc { stroke: none }
.ring .value { position: absolute; inset: 26px 0 auto; font-size: 1.65rem; font-weight: 680; line-height: 1 }
.ring .name { position: absolute; inset: 57px 0 auto; font-size: 0.66rem; color: var(--soft) }
.columns { display: flow-root }
@media screen and (min-width: 960px) {
  .columns { margin: 0 -10px }
  .column { float: left; width: 50%; padding: 0 10px }
  aside.column { float: right }
}
.card {
  margin-bottom: 20px; padding: 22px 24px; border: 1px solid var(--line); border-radius: 14px;
  background: var(--card); box-shadow: var(--shadow)
}
.prose { font-size: 1.06rem; line-height: 1.72; overflow-wrap: anywhere }
.prose > * + * { margin-top: 0.8em }
.prose li + li { margin-top: 0.25em }
.claim {
  text-decoration: underline 2px transparent; text-underline-offset: 0.22em; border-radius: 3px;
  -webkit-box-decoration-break: clone; box-decoration-break: clone
}
.claim.supported { text-decoration-color: var(--good) }
.claim.partial { background: var(--tone-back); text-decoration: underline dashed 2px var(--tone) }
.claim.unsupported { background: var(--tone-back); text-decoration: underline wavy 1.5px var(--tone) }
.claim.contradicted { background: var(--tone-back); text-decoration: underline double 2px var(--tone) }
.claim.cited { text-decoration-color: var(--note); text-decoration-thickness: 1px }
.claim.unchecked, .claim.uncited { text-decoration: underline dotted 1.5px var(--soft) }
.mark {
  display: inline-block; min-width: 1.5em; margin: 0 1px; padding: 0 0.35em; border-radius: 5px;
  font: 650 0.72rem / 1.5 system-ui, sans-serif; text-align: center; text-decoration: none; vertical-align: 0.25em;
  color: var(--note); background: var(--note-back)
}
a.mark:hover { color: var(--note-back); background: var(--note) }
.legend .claim { color: var(--ink); font-weight: 600 }
.problem {
  margin-bottom: 16px; padding: 10px 14px; border-left: 3px solid var(--fair); border-radius: 6px;
  background: var(--fair-back)
}
.hint, .facts, .reason, .none { font-size: 0.84rem; color: var(--soft) }
.problem .hint { color: inherit }
.reason { display: block }
.bad { color: var(--bad); font-size: 0.88rem }
summary { cursor: pointer }
.fold { margin-top: 10px; font-size: 0.9rem }
.fold > summary { padding: 4px 0; color: var(--soft) }
.fold > summary strong { margin-right: 10px; color: var(--ink) }
.sources { padding: 0; list-style: none }
.source { border-top: 1px solid var(--line) }
.source:first-child { border-top: 0 }
.source > details > summary {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 10px; align-items: baseline; padding: 10px 6px;
  list-style: none; border-radius: 8px
}
.source > details > summary::-webkit-details-marker { display: none }
.source > details > summary:hover { background: var(--raised) }
.source .place { overflow-wrap: anywhere; font-weight: 550 }
.source .quote {
  grid-column: 2; display: -webkit-box; overflow: hidden; font-size: 0.87rem; color: var(--soft);
  -webkit-box-orient: vertical; -webkit-line-clamp: 2
}
.source details[open] .quote { display: none }
.source .under { margin: 0; font-size: 0.87rem; color: var(--soft); overflow-wrap: anywhere }
.source pre.near { max-height: none }
.around { margin: -8px 0 14px; font-size: 0.87rem; color: var(--soft) }
.source pre { margin: 0 0 14px; padding: 8px 0 }
blockquote { margin: 0 0 14px; padding: 8px 14px; border-left: 3px solid var(--line); color: var(--soft) }
.line { display: block; padding: 0 12px 0 calc(6ch + 20px); text-indent: calc(-6ch - 10px); color: var(--soft) }
.line .number {
  display: inline-block; width: 6ch; margin-right: 10px; white-space: nowrap; text-align: right; text-indent: 0;
  -webkit-user-select: none; user-select: none
}
.line.cited { color: var(--ink); background: color-mix(in srgb, var(--note-back) 70%, transparent) }
mark { border-radius: 3px; color: var(--ink); background: var(--mark) }
.block { margin-top: 14px }
.block li { font-size: 0.93rem }
.text { white-space: pre-wrap }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem }
.wide + .wide { margin-top: 22px }
th, td {
  padding: 7px 10px 7px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  font-weight: 400; overflow-wrap: anywhere
}
thead th { font-size: 0.78rem; color: var(--soft); white-space: nowrap }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tbody tr:last-child > * { border-bottom: 0 }
svg.bar { display: block; width: 100%; max-width: 260px; height: 5px; margin-top: 5px }
.track { fill: var(--raised) }
.question { overflow-wrap: anywhere; line-height: 1.4 }
footer { padding: 8px 4px; font-size: 0.82rem; color: var(--soft) }
.tree, .below > ul { padding: 0; list-style: none }
.below > ul { margin-left: 11px; padding-left: 14px; border-left: 1px solid var(--line) }
.node > summary {
  display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; padding: 6px 8px; border-radius: 8px
}
.node > summary:hover, .node[open] > summary { background: var(--raised) }
.node[open] { margin-bottom: 14px; padding: 0 18px 16px 8px; border: 1px solid var(--line); border-radius: 10px }
.node .question { flex: 1 1 min(20em, 100% - 2.5em) }
.below > summary { padding: 2px 8px; font-size: 0.84rem; color: var(--soft) }
.sign { color: var(--tone, inherit) }
.reply pre { border-left: 3px solid var(--accent) }
pre + pre, .reply { margin-top: 8px }
:target { outline: 2px solid var(--accent); outline-offset: 2px; scroll-margin: 30vh }
.lanes { display: block; width: 100%; margin-top: 12px }
.failed { stroke: var(--bad); stroke-width: 3 }
.axis { display: flex; justify-content: space-between; font-size: 0.72rem; color: var(--soft) }
.swatches svg { width: 11px; height: 11px; margin-right: 6px }
.plot { width: 100%; max-width: 640px; height: auto }
.grid { stroke: var(--line) }
.range { stroke: var(--ink); stroke-width: 1.5 }
.tick { font-size: 12px; fill: var(--soft) }
@media (prefers-color-scheme: dark) {
  .bar { filter: brightness(1.5) }
}
@media (max-width: 720px) {
  main { padding: 18px 12px 28px }
  .head { gap: 12px }
  .ring, .ring svg { width: 76px }
  .ring svg { height: 76px }
  .ring .value { inset: 18px 0 auto; font-size: 1.3rem }
  .ring .name { inset: 42px 0 auto; font-size: 0.55rem }
  .card { padding: 16px 14px; border-radius: 12px }
  .below > ul { margin-left: 5px; padding-left: 6px }
  td:first-child { min-width: 8em }
}
@media print {
  :root { --back: #ffffff; --shadow: none }
  body { font-size: 11pt }
  main { max-width: none; padding: 0 }
  .card { break-inside: auto; border: 0; padding: 8px 0 }
  .skip { display: none }
  .source > ::details-content, .below::details-content { content-visibility: visible }
  pre { max-height: none }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact }
}
`;
