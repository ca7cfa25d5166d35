// The view as it is written into the page.
import type { View } from '../../view/view.ts';

export function pack(view: View): unknown;
export function unpack(packed: unknown): View;
