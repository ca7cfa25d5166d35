// What the index has beside the look that all pages share.

export const INDEX_STYLE = `
.counts{display:flex;flex-wrap:wrap;gap:8px;margin:14px 0;padding:0;list-style:none}
.counts li{border:1px solid var(--border);border-radius:8px;padding:6px 12px;background:var(--panel)}
.counts b{font-size:20px;margin-right:6px;font-variant-numeric:tabular-nums}
.controls{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:end;margin:14px 0}
.controls div{display:grid;gap:2px;min-width:0}
.controls label{font-size:13px;color:var(--soft)}
.controls output{padding:4px 0}
.controls input{font:inherit;font-size:13.5px;color:var(--ink);background:var(--panel);border:1px solid var(--soft);border-radius:6px;padding:3px 10px;min-height:30px;max-width:100%}
.controls select,.controls button{border-color:var(--soft);max-width:100%}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.soft{color:var(--soft)}
#scenarios th{overflow-wrap:anywhere}
#scenarios tbody th{min-width:18em}
#scenarios thead th:nth-child(3){width:60%}
#scenarios th.number{min-width:0}
.strip{font-family:var(--mono);letter-spacing:2px;overflow-wrap:anywhere}
.strip span{font-weight:700}
.why{margin:4px 0 0;padding:0;list-style:none;font-size:14px}
.why li{margin:2px 0;overflow-wrap:anywhere}
.wide{overflow-x:auto;margin:14px 0}
.grid{width:auto;border-collapse:collapse}
.grid caption{text-align:left;font-weight:600;padding:4px 0}
.grid th,.grid td{border:1px solid var(--border);padding:2px 8px;font-size:14px}
.grid td{text-align:center;font-weight:700}
.grid td a{color:inherit;text-decoration:none;display:block}
.grid tbody th{text-align:left;overflow-wrap:anywhere;min-width:12em}
.grid .claim th{font-weight:400;padding-left:24px}
.attempts{margin:4px 0 0;padding:0;list-style:none;font-weight:400;font-size:13px}
.attempts li{display:inline-block;margin-right:12px}
@media (max-width:640px){
#scenarios,#scenarios tbody,#scenarios tr,#scenarios td,#scenarios tbody th{display:block;min-width:0;border:0;padding:2px 0}
#scenarios thead{display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
#scenarios tr{border-bottom:1px solid var(--border);padding:8px 0}
#scenarios td.number{text-align:left}
}
`;
