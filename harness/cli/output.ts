// What the commands that only read give back: text for standard output and an exit code.

export type CommandOutput = { readonly exitCode: number; readonly output: string };
