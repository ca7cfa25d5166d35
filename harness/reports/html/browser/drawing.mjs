// What is used of the page's own drawing outside of it: the static picture and the tables draw and speak as the page does.
export { SIZES, layoutOf, placesOf } from './layout.mjs';
export { pack, unpack } from './pack.mjs';
export { PALETTE } from './palette.mjs';
export { lengthText, relativeText } from './scale.mjs';
export { drawScene } from './scene.mjs';
export { SIGNS } from './signs.mjs';
