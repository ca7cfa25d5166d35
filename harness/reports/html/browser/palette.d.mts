// The page's colours, for its style sheet.
export const PALETTE: Readonly<Record<string, readonly [light: string, dark: string]>>;
