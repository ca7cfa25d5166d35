// How the page looks: light and dark as the reader's system has it, or as the reader chooses; on paper without colours of
// screens. Everything is here; nothing is fetched.
import { PALETTE } from './browser/drawing.mjs';

const names = Object.keys(PALETTE);
const properties = (which: 0 | 1): string => names.map((name) => `--${name}:${PALETTE[name]![which]}`).join(';');

/** What the pens name `fill-bad`, `line-grid`, `text-soft`, for pictures that are SVG. */
const pens = (): string =>
  names
    .map((name) => {
      const [kind, rest] = [name.slice(0, name.indexOf('-')), name.slice(name.indexOf('-') + 1)];
      if (kind === 'fill')
        return `.picture .${name}{fill:var(--${name})}.picture .on-${rest}{stroke:var(--${name});stroke-width:3;paint-order:stroke}`;
      if (kind === 'text') return `.picture .${name}{fill:var(--${name})}`;
      if (kind === 'line') return `.picture .${name}{stroke:var(--${name});fill:none}`;
      if (kind === 'edge') return `.picture .${name}{stroke:var(--${name})}`;
      return kind === 'tone'
        ? `.picture .${name}{stroke:var(--${name})}.picture .solid-${rest}{fill:var(--${name});stroke:var(--paper)}.picture .open-${rest}{fill:var(--paper);stroke:var(--${name});stroke-width:1.5}`
        : '';
    })
    .join('\n');

const LAYOUT = `
*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main,footer{max-width:1680px;margin:0 auto;padding:0 24px}
code,pre,.stamp{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.87em}
a{color:var(--link)}
a:focus-visible,button:focus-visible,select:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;background:var(--paper);padding:4px 8px;z-index:3}
[hidden]{display:none!important}
header{padding-top:18px}
.brand{display:flex;justify-content:space-between;align-items:center;color:var(--soft);font-size:13px;min-height:30px}
h1{font-size:25px;line-height:1.25;margin:6px 0 4px;overflow-wrap:anywhere}
h2{font-size:18px;margin:22px 0 8px}
h3{font-size:15px;margin:0;display:inline}
p{margin:4px 0}
.about{color:var(--ink);max-width:90ch}
.facts{color:var(--soft);margin-top:6px}
.badge{display:inline-block;font-size:15px;line-height:1.3;padding:3px 12px;border-radius:14px;vertical-align:3px;margin-right:8px;border:1px solid}
.word{display:inline-block;font-size:13px;font-weight:600;padding:0 8px;border-radius:10px;border:1px solid;white-space:nowrap}
.violated,.failed{color:var(--tone-bad);border-color:var(--edge-bad)}
.inconclusive,.known,.interrupted,.untestable{color:var(--tone-warn);border-color:var(--edge-warn)}
.held,.passed,.fixed,.right{color:var(--tone-good);border-color:var(--edge-good)}
.error{color:var(--tone-accent);border-color:var(--tone-accent)}
.does-not-apply{color:var(--soft);border-color:var(--border)}
.badge.failed{background:var(--tone-bad);color:var(--paper);border-color:var(--tone-bad)}
.findings{list-style:none;padding:0;margin:0;display:grid;gap:8px;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr))}
.finding{border:1px solid var(--border);border-left:4px solid var(--edge-warn);border-radius:6px;padding:5px 12px 6px;font-size:14px;line-height:1.42;background:var(--panel);overflow-wrap:anywhere}
.finding.of-violated{border-left-color:var(--edge-bad)}
.finding.chosen{box-shadow:0 0 0 2px var(--link)}
.finding .reason{margin:3px 0}
.finding .believe{margin:3px 0;font-size:13.5px;color:var(--soft)}
.finding .more{font-size:13.5px;color:var(--soft);display:flex;gap:4px 14px;flex-wrap:wrap}
.finding details{font-size:13.5px;margin-top:4px}
.finding ul{margin:4px 0;padding-left:18px}
.class{color:var(--soft);font-size:13.5px}
table{border-collapse:collapse;width:100%;font-size:14px}
.scroll{overflow-x:auto;border:1px solid var(--border);border-radius:6px}
th,td{text-align:left;vertical-align:top;padding:5px 10px;border-bottom:1px solid var(--border);overflow-wrap:anywhere}
tr:last-child>td,tr:last-child>th{border-bottom:0}
thead th{background:var(--panel);font-weight:600;white-space:nowrap}
tr.chosen td{background:var(--panel)}
.when{white-space:nowrap;font-variant-numeric:tabular-nums}
pre{background:var(--panel);border:1px solid var(--border);border-radius:6px;padding:10px 12px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;margin:6px 0}
pre.log{max-height:420px}
summary{cursor:pointer}
.note{color:var(--soft);font-size:13.5px}
footer{color:var(--soft);font-size:13px;padding-top:22px;padding-bottom:32px}
figure{margin:0;overflow-x:auto;border:1px solid var(--border);border-radius:6px}
.picture{display:block;width:100%;height:auto;min-width:820px;font:11px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;background:var(--paper)}
.picture text{dominant-baseline:central}
.picture .line-mark{stroke-dasharray:4 3}
.picture .line-renewal,.picture .line-charge,.picture .line-curve,.picture .line-violated{stroke-width:1.75}
.picture .text-strong,.picture .text-bad-strong,.picture .text-mark{font-weight:600}
.picture .open-ring,.picture .open-cursor{fill:none;stroke-width:2}
.legend{display:flex;flex-wrap:wrap;gap:3px 18px;padding:0;margin:8px 0 0;list-style:none;font-size:13px;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:6px}
.legend svg{width:22px;height:16px;min-width:22px}
#live{display:grid;gap:12px;grid-template-columns:minmax(0,1fr)}
.stage{min-width:0}
.tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin-bottom:6px}
button,select{font:inherit;font-size:13.5px;color:var(--ink);background:var(--panel);border:1px solid var(--border);border-radius:6px;padding:3px 10px;cursor:pointer;min-height:30px}
button:hover{background:var(--shade)}
#timeline{position:relative;border:1px solid var(--border);border-radius:6px;overflow:hidden;touch-action:pan-y;cursor:crosshair;user-select:none}
#timeline:focus-visible{outline:2px solid var(--link);outline-offset:1px}
#plot{display:block;width:100%}
#overview{display:block;width:100%;cursor:grab;touch-action:none;margin-top:3px}
#tip{position:absolute;left:0;top:0;max-width:min(460px,90%);pointer-events:none;background:var(--ink);color:var(--paper);border-radius:6px;padding:6px 10px;font-size:13px;line-height:1.4;z-index:2;overflow-wrap:anywhere}
#tip>*{display:block}
#brush{position:absolute;top:0;bottom:0;background:var(--fill-chosen-lane);border:1px solid var(--link);border-width:0 1px;pointer-events:none}
#moment{min-height:46px;padding:6px 12px;border:1px solid var(--border);border-radius:6px;background:var(--panel);font-size:14px;overflow-wrap:anywhere;margin-top:6px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
#log-panel{border:1px solid var(--border);border-radius:6px;display:flex;flex-direction:column;min-height:0;min-width:0}
.log-head{display:flex;gap:10px;justify-content:space-between;align-items:center;padding:4px 10px;border-bottom:1px solid var(--border);background:var(--panel);border-radius:6px 6px 0 0}
#log-lines{list-style:none;margin:0;padding:4px 0;overflow:auto;max-height:240px;min-height:60px;position:relative;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;line-height:1.45}
#log-lines li{display:grid;grid-template-columns:70px 1fr;gap:8px;padding:0 10px;overflow-wrap:anywhere;cursor:pointer}
#log-lines .stamp{color:var(--soft);text-align:right}
#log-lines .later{color:var(--soft)}
#log-lines .now{background:var(--shade);box-shadow:inset 3px 0 var(--link)}
kbd{font:12px ui-monospace,SFMono-Regular,Menlo,monospace;border:1px solid var(--border);border-radius:4px;padding:0 4px;background:var(--panel)}
@media (min-width:1360px){#live.with-logs{grid-template-columns:minmax(0,1fr) 400px}#live.with-logs #log-lines{flex:1 1 200px;max-height:560px}}
@media (max-width:700px){header,main,footer{padding-left:12px;padding-right:12px}h1{font-size:20px}}
@media print{
#live,.tools,#theme,.skip,.more a{display:none!important}
#still{display:block!important}
figure,.scroll{overflow:visible}
.picture{min-width:0}
pre.log{max-height:none}
.finding,tr,figure{break-inside:avoid}
header,main,footer{max-width:none;padding:0}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;

let made: string | undefined;

/** The whole style sheet. On paper the page is light. */
export const pageStyle = (): string => {
  made ??= [
    `:root{${properties(0)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${properties(1)}}}`,
    `@media screen{:root[data-theme=dark]{${properties(1)}}}`,
    LAYOUT.trim(),
    pens(),
  ].join('\n');
  return made;
};
