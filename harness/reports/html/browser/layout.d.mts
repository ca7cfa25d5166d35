// Where lanes and rows lie, for the static picture.
import type { Lane, View } from '../../view/view.ts';

export type Placed = { readonly lane: Lane; readonly top: number; readonly height: number; readonly rows: readonly number[] };
export type Layout = { readonly lanes: readonly Placed[]; readonly bottom: number; readonly height: number };

export function layoutOf(view: View): Layout;
export function placesOf(view: View, layout: Layout): ReadonlyMap<number, number>;
