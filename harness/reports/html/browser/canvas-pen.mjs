// The pen that paints a canvas, in the page's colours of the moment.

/** @typedef {import('./scene.mjs').Pen} Pen */

/** @param {Element} root whose custom properties are the colours @param {readonly string[]} names */
export const coloursOf = (root, names) => {
  const style = getComputedStyle(root);
  return new Map(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
};

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/**
 * @param {CanvasRenderingContext2D} context scaled so that one unit is one CSS pixel
 * @param {ReadonlyMap<string, string>} colours
 * @returns {Pen}
 */
export const createCanvasPen = (context, colours) => {
  /** @type {Map<string, Path2D>} */
  const paths = new Map();
  /** @type {Map<string, { fill?: string, edge?: string, isStrong: boolean, isDashed: boolean, width: number }>} */
  const looks = new Map();
  const WIDE = ['line-renewal', 'line-charge', 'line-curve', 'line-violated'];
  const lookOf = (/** @type {string} */ look) => {
    const found = looks.get(look);
    if (found) return found;
    const [first = '', second] = look.split(' ');
    const made = {
      fill: colours.get(first),
      edge: second === undefined ? undefined : colours.get(second.replace(/^on-/, 'fill-')),
      isStrong: look.endsWith('-strong') || look === 'text-mark',
      isDashed: look === 'line-mark',
      width: WIDE.includes(look) ? 1.75 : 1,
    };
    looks.set(look, made);
    return made;
  };
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  return {
    rect: (x, y, width, height, look) => {
      const { fill, edge } = lookOf(look);
      context.fillStyle = fill ?? '';
      context.fillRect(x, y, width, height);
      if (edge === undefined || width < 3) return;
      context.strokeStyle = edge;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    },
    line: (x1, y1, x2, y2, look) => {
      const { fill, isDashed, width } = lookOf(look);
      context.strokeStyle = fill ?? '';
      context.lineWidth = width;
      if (isDashed) context.setLineDash([4, 3]);
      context.beginPath();
      const shift = x1 === x2 ? [Math.round(x1) + 0.5, 0] : [0, 0.5];
      context.moveTo(shift[0] || x1, y1 + (shift[1] ?? 0));
      context.lineTo(shift[0] || x2, y2 + (shift[1] ?? 0));
      context.stroke();
      if (isDashed) context.setLineDash([]);
    },
    text: (x, y, text, look, anchor = 'start') => {
      const { fill, edge, isStrong } = lookOf(look);
      context.font = isStrong ? `600 ${FONT}` : FONT;
      context.fillStyle = fill ?? '';
      context.textAlign = anchor === 'middle' ? 'center' : anchor;
      if (edge !== undefined) {
        context.strokeStyle = edge;
        context.lineWidth = 3;
        context.strokeText(text, x, y);
      }
      context.fillText(text, x, y);
    },
    sign: (x, y, path, isFilled, tone) => {
      let made = paths.get(path);
      if (!made) paths.set(path, (made = new Path2D(path)));
      context.save();
      context.translate(x, y);
      const colour = colours.get(`tone-${tone}`) ?? '';
      context.lineWidth = tone === 'cursor' || tone === 'ring' ? 2 : 1.5;
      context.strokeStyle = isFilled ? (colours.get('paper') ?? '') : colour;
      context.fillStyle = isFilled ? colour : (colours.get('paper') ?? '');
      if (isFilled) context.stroke(made);
      if (isFilled || (tone !== 'cursor' && tone !== 'ring')) context.fill(made);
      if (!isFilled) context.stroke(made);
      context.restore();
    },
    trace: (points, look) => {
      const { fill, width } = lookOf(look);
      context.strokeStyle = fill ?? '';
      context.lineWidth = width;
      context.beginPath();
      for (let index = 0; index < points.length; index += 2) context.lineTo(points[index] ?? 0, points[index + 1] ?? 0);
      context.stroke();
    },
    clip: (left, top, right, bottom, draw) => {
      context.save();
      context.beginPath();
      context.rect(left, top, right - left, bottom - top);
      context.clip();
      draw();
      context.restore();
    },
  };
};
