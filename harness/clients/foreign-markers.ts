// Finds markers that are not the exchange's own: bytes that belong to somebody else. A marker may be
// cut anywhere, so what could be the beginning of one is kept for the next piece.
import { markersIn } from '../model/marker.ts';

export type ForeignMarkers = { readonly feed: (text: string) => void; readonly found: () => readonly string[] };

/** Longest beginning of a marker that is kept: bounds memory against a text made to look like one. */
const KEPT_LIMIT = 256;
const BEGINNING = /h(?:x(?:\.(?:[a-z0-9-]+(?:\.(?:\d+(?:\.[0-9a-f]{0,7})?)?)?)?)?)?$/;

/** @param own the exchange's marker: every other one is foreign */
export const createForeignMarkers = (own: string): ForeignMarkers => {
  const found = new Set<string>();
  let kept = '';
  return {
    feed: (piece) => {
      const text = kept + piece;
      let end = 0;
      for (const marker of markersIn(text)) {
        if (marker !== own) found.add(marker);
        end = Math.max(end, text.lastIndexOf(marker) + marker.length);
      }
      kept = BEGINNING.exec(text.slice(Math.max(end, text.length - KEPT_LIMIT)))?.[0] ?? '';
    },
    found: () => [...found],
  };
};
