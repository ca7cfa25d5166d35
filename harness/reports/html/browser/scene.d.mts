// What the static picture uses of the page's own drawing.
import type { View } from '../../view/view.ts';
import type { Layout } from './layout.mjs';

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

export function drawScene(
  pen: Pen, view: View, layout: Layout, window: { readonly fromMs: number; readonly toMs: number }, width: number, state: State,
): unknown;
