import { type DeclareCommand, withExamples } from "../command.js";
import { declareCollect } from "./artifacts/collect.js";
import { declareLineage } from "./artifacts/lineage.js";
import { declareList } from "./artifacts/list.js";
import { declareMark } from "./artifacts/mark.js";
import { declareShow } from "./artifacts/show.js";

/** Name, summary and declaration of each subcommand, in help order. All of them work on a metadata store. */
const COMMANDS: readonly (readonly [string, string, DeclareCommand])[] = [
  ["ls", "list artifacts", declareList],
  ["show", "show an artifact, and the executions that produced and used it", declareShow],
  ["lineage", "show what an artifact was derived from, and what was derived from it", declareLineage],
  ["mark", "mark old artifacts for deletion", declareMark],
  ["gc", "delete bytes that belong only to marked or abandoned artifacts", declareCollect],
];

/** Declares `tfxio artifacts` and its subcommands. Unlike top-level commands, subcommands are loaded together. */
export const declareArtifacts: DeclareCommand = (command, host) => {
  withExamples(command, "tfxio artifacts ls metadata.sqlite", "tfxio artifacts lineage metadata.sqlite 3");
  for (const [name, summary, declare] of COMMANDS) {
    const subcommand = command.command(name).summary(summary);
    subcommand.description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    declare(subcommand, host);
    subcommand.showHelpAfterError(`tfxio artifacts ${name} --help shows the options.`);
  }
};
