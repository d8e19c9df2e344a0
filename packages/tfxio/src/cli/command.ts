import type { Command } from "commander";
import type { Host } from "./host.js";

/** Adds arguments, options, examples and the action of a command. */
export type DeclareCommand = (command: Command, host: Host) => void;

/** A command whose module is not loaded yet, with the text for the list of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<DeclareCommand>;
}

/** Adds examples at the start of a command's help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    "before",
    `Examples:\n${examples.map((example) => `  $ ${example}`).join("\n")}\n`,
  );
}
