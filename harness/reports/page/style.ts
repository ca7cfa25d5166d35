// How every page of ours looks: one set of colours with a light and a dark reading, of which each pair that meets has a
// contrast of at least 4.5, and the few parts that pages share. Outcomes are told by a word or sign, never by colour alone.

const LIGHT = {
  ground: '#ffffff', panel: '#f4f6f8', ink: '#1b1f24', soft: '#4f5963', line: '#cfd6dd', link: '#0550ae', focus: '#0969da',
  held: '#176c30', violated: '#b3201b', inconclusive: '#7d5200', error: '#6b3fbf', 'does-not-apply': '#4f5963',
  'violated-ground': '#fbe3e1', shade: '#eceff2',
} as const;

const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  ground: '#0f1318', panel: '#181e25', ink: '#e6edf3', soft: '#a3adb8', line: '#36404b', link: '#84bdff', focus: '#84bdff',
  held: '#57c878', violated: '#ff8a80', inconclusive: '#e6b74b', error: '#c4a7ff', 'does-not-apply': '#a3adb8',
  'violated-ground': '#48201f', shade: '#222a33',
};

const tokens = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours).map(([name, colour]) => `--${name}:${colour}`).join(';');

/** Comes first in the style of every page. */
export const STYLE = `
:root{${tokens(LIGHT)};color-scheme:light dark;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${tokens(DARK)}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,footer{max-width:1200px;margin:0 auto;padding:0 20px}
header{padding-top:20px}
h1{font-size:22px;line-height:1.3;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:17px;margin:28px 0 8px}
h3{font-size:15px;margin:20px 0 6px}
p{margin:6px 0;max-width:85ch}
a{color:var(--link)}
code,pre,.mono{font-family:var(--mono);font-size:13px}
code{overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:10px 12px;overflow-x:auto;margin:8px 0}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.soft{color:var(--soft)}
.held,.passed{color:var(--held)}
.violated,.failed{color:var(--violated)}
.inconclusive,.known{color:var(--inconclusive)}
.error,.interrupted{color:var(--error)}
.does-not-apply{color:var(--does-not-apply)}
.word{font-weight:600;white-space:nowrap}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;font-size:13px}
tbody th{font-weight:600}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
input,select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:6px;padding:4px 8px;max-width:100%}
button{cursor:pointer}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
footer{color:var(--soft);font-size:13px;padding-top:20px;padding-bottom:30px}
@media print{body{background:#fff}.controls{display:none}}
`;
