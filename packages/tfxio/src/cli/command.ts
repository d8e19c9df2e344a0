import type { Command } from "commander";
import type { Host } from "./host.js";

/** Adds the arguments, options, examples and action of one command to its Commander object. The action prints only to `host`. */
export type DeclareCommand = (command: Command, host: Host) => void;

/** The name and summary of a command, and a function that loads its module. */
export interface CommandEntry {
  readonly name: string;
  /** Begins in lower case and has no full stop. The command's own help capitalizes it and adds a full stop. */
  readonly summary: string;
  /** Imports the command's module and, with it, the packages that the module imports. */
  load(): Promise<DeclareCommand>;
}

/** Adds examples at the start of a command's help. Each is a shell command without its prompt. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    "before",
    `Examples:\n${examples.map((example) => `  $ ${example}`).join("\n")}\n`,
  );
}
