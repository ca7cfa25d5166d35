// Every colour of the page and of its pictures, light and dark, each text at least 4.5 to 1 against what it stands on.
// The names are those that the pens use; the page has them as custom properties.

/** @type {Readonly<Record<string, readonly [light: string, dark: string]>>} */
export const PALETTE = {
  paper: ['#ffffff', '#0d1117'], panel: ['#f6f8fa', '#161b22'], ink: ['#1b1f24', '#e6edf3'], soft: ['#57606a', '#9ba5b0'], border: ['#d0d7de', '#30363d'],
  link: ['#0a53be', '#6cb0ff'], shade: ['#eaeef2', '#21262d'],
  'fill-plain': ['#bcd4f8', '#1d4277'], 'fill-accent': ['#b5e3cd', '#155644'], 'fill-good': ['#a9dfb0', '#1b5e2c'], 'fill-warn': ['#f8d08a', '#6f4a00'],
  'fill-bad': ['#f6a29b', '#8e2329'], 'fill-quiet': ['#e1e5ea', '#2b313a'],
  'edge-plain': ['#5d8fdc', '#3f78c9'], 'edge-accent': ['#3f9f78', '#2f9a77'], 'edge-good': ['#3c9a4c', '#3a9a50'], 'edge-warn': ['#c48a1c', '#b98118'],
  'edge-bad': ['#cf3f3a', '#e0524f'], 'edge-quiet': ['#b4bcc6', '#4b535e'],
  'tone-plain': ['#0a53be', '#79b8ff'], 'tone-accent': ['#6f2dbd', '#d2a8ff'], 'tone-good': ['#1a7030', '#56d364'], 'tone-warn': ['#8a5a00', '#e3b341'],
  'tone-bad': ['#b81f2b', '#ff8a83'], 'tone-quiet': ['#57606a', '#9ba5b0'],
  'tone-ring': ['#b81f2b', '#ff8a83'], 'tone-cursor': ['#1b1f24', '#e6edf3'],
  'fill-phase-even': ['#eaeef2', '#21262d'], 'fill-phase-odd': ['#f6f8fa', '#161b22'], 'fill-mark': ['#1b1f24', '#e6edf3'], 'fill-lane': ['#f9fafb', '#11161d'],
  'fill-focus': ['#0a53be', '#6cb0ff'], 'fill-chip': ['#ffffff', '#0d1117'],
  'fill-violated': ['#cf222e14', '#ff7b721f'], 'fill-violated-lane': ['#cf222e21', '#ff7b722e'], 'fill-chosen': ['#0a53be12', '#6cb0ff1a'],
  'fill-chosen-lane': ['#0a53be1f', '#6cb0ff2b'],
  'line-mark': ['#1b1f24', '#e6edf3'], 'line-grid': ['#e6eaee', '#20262e'], 'line-soft': ['#8c959f', '#6e7681'], 'line-lane': ['#e6eaee', '#20262e'],
  'line-violated': ['#cf222e', '#ff7b72'], 'line-chosen': ['#0a53be', '#6cb0ff'], 'line-cursor': ['#1b1f24', '#e6edf3'],
  'line-data': ['#2f6fcf', '#7db6ff'], 'line-renewal': ['#8a2fb8', '#e0b3ff'], 'line-charge': ['#8a5a00', '#f0c75e'], 'line-lag': ['#8a5a00', '#e3b341'],
  'line-curve': ['#57606a', '#9ba5b0'],
  'line-plain': ['#5d8fdc', '#3f78c9'], 'line-accent': ['#3f9f78', '#2f9a77'], 'line-good': ['#3c9a4c', '#3a9a50'], 'line-warn': ['#c48a1c', '#b98118'],
  'line-bad': ['#cf3f3a', '#e0524f'], 'line-quiet': ['#b4bcc6', '#4b535e'],
  'text-soft': ['#57606a', '#9ba5b0'], 'text-strong': ['#1b1f24', '#e6edf3'], 'text-bad-strong': ['#b81f2b', '#ff8a83'], 'text-mark': ['#ffffff', '#0d1117'],
  'text-bar': ['#1b1f24', '#e6edf3'], 'text-plain': ['#0a53be', '#79b8ff'], 'text-accent': ['#6f2dbd', '#d2a8ff'], 'text-good': ['#1a7030', '#56d364'],
  'text-warn': ['#8a5a00', '#e3b341'], 'text-bad': ['#b81f2b', '#ff8a83'], 'text-quiet': ['#57606a', '#9ba5b0'],
};
