// Types of drawing.mjs for those who draw outside of a page.
import type { Interval, Lane, View } from '../../view/view.ts';

export type Pen = {
  readonly rect: (x: number, y: number, width: number, height: number, look: string, title?: string) => void;
  readonly line: (x1: number, y1: number, x2: number, y2: number, look: string) => void;
  readonly text: (x: number, y: number, text: string, look: string, anchor?: 'start' | 'middle' | 'end') => void;
  readonly sign: (x: number, y: number, path: string, isFilled: boolean, tone: string, title?: string) => void;
  readonly trace: (points: readonly number[], look: string) => void;
  readonly clip: (left: number, top: number, right: number, bottom: number, draw: () => void) => void;
};

export type State = {
  readonly claim: number;
  readonly rings: readonly number[];
  readonly cursor: number;
  readonly lane: string | null;
  readonly places: ReadonlyMap<number, number>;
};

export function drawScene(pen: Pen, view: View, layout: Layout, window: Interval, width: number, state: State): unknown;
export type Placed = { readonly lane: Lane; readonly top: number; readonly height: number; readonly rows: readonly number[] };
export type Layout = { readonly lanes: readonly Placed[]; readonly bottom: number; readonly height: number };

export function layoutOf(view: View): Layout;
export function placesOf(view: View, layout: Layout): ReadonlyMap<number, number>;
export const PALETTE: Readonly<Record<string, readonly [light: string, dark: string]>>;
export function lengthText(ms: number): string;
export function relativeText(marks: readonly { readonly name: string; readonly atMs: number }[], atMs: number): string;
export function pack(view: View): unknown;
export function unpack(packed: unknown): View;
export const SIGNS: Readonly<Record<string, { readonly path: string; readonly isFilled: boolean; readonly about: string }>>;
/** Lengths of the picture's parts, px. */
export const SIZES: Readonly<Record<'label' | 'right' | 'head' | 'row' | 'lanePad' | 'axis' | 'bar', number>>;
