// The signs of moments, for the legend.
export const SIGNS: Readonly<Record<string, { readonly path: string; readonly isFilled: boolean; readonly about: string }>>;
