// The text by which one exchange is known everywhere. It may stand in a URL, a header or a body,
// and every data event of the upstream carries it, so a foreign byte can be told by its marker.
import { randomBytes } from 'node:crypto';

const PATTERN = /hx\.[a-z0-9-]+\.\d+\.[0-9a-f]{8}/g;

/** `hx.alice.1.9f3a01bc`: the n-th exchange of a client, unique over runs. */
export const createMarker = (client: string, number: number): string => `hx.${client}.${number}.${randomBytes(4).toString('hex')}`;

/** Whose exchange it is, by its marker. */
export const clientOf = (marker: string): string => marker.split('.')[1] ?? '';

/** All different markers in a text. */
export const markersIn = (text: string): readonly string[] => [...new Set(text.match(PATTERN) ?? [])];
