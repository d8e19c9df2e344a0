import type { Command } from "commander";
import type { Host } from "./host.js";

/** Adds arguments, options, examples and the action of a command. */
export type DeclareCommand = (command: Command, host: Host) => void;

/** A command before its module is loaded: what the list of commands shows. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<DeclareCommand>;
}

/** Examples, which stand before everything else in the help of a command. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    "before",
    `Examples:\n${examples.map((example) => `  $ ${example}`).join("\n")}\n`,
  );
}
