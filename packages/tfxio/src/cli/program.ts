import { readFileSync } from "node:fs";
import { Command } from "commander";
import { COMPLETE, declareComplete } from "./complete.js";
import { commandTable } from "./command-table.js";
import type { Host, Output } from "./host.js";

/** Examples in the help of the program itself. */
const EXAMPLES = `Examples:
  $ tfxio head 'train-*.tfrecord.gz'
  $ tfxio convert data.csv data.parquet
  $ tfxio schema data.tfrecord > schema.pbtxt
`;

/** Creates the program. Loads only the commands whose names `argv` contains, or all commands for completion. */
export async function createProgram(argv: readonly string[], host: Host): Promise<Command> {
  const program = new Command("tfxio")
    .description(
      "Inspect, check and convert machine-learning data: TFRecord, CSV, JSON Lines, Parquet, Arrow, Avro, protobuf.",
    )
    .version(versionOfPackage())
    .addHelpText("before", EXAMPLES)
    .addHelpText(
      "after",
      "\ntfxio COMMAND --help shows the options of a command.\nhttps://github.com/tfxio/tfxio/blob/main/docs/guides/command.md",
    )
    .showHelpAfterError("tfxio --help shows the commands.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => written(host.stdout, text),
      writeErr: (text) => written(host.stderr, text),
      getOutHelpWidth: () => host.stdout.columns ?? 80,
      getErrHelpWidth: () => host.stderr.columns ?? 80,
      getOutHasColors: () => host.stdout.hasColour,
      getErrHasColors: () => host.stderr.hasColour,
    });
  const called = argv.find((word) => !word.startsWith("-"));
  const needsAll = called === COMPLETE;
  for (const entry of commandTable) {
    const command = program.command(entry.name).summary(entry.summary).description(sentence(entry.summary));
    // `tfxio help COMMAND` also needs the command.
    if (!needsAll && !argv.includes(entry.name)) continue;
    command.option("--debug", "show error stacks");
    (await entry.load())(command, host);
    command.showHelpAfterError(`tfxio ${entry.name} --help shows the options.`);
  }
  declareComplete(program.command(COMPLETE), host, program);
  await assertKnownCommands(program, argv);
  return program;
}

/**
 * Throws if a command or subcommand is unknown. Commander itself reports no error for an unknown name in `tfxio help NAME` and
 * `tfxio NAME --help`.
 */
async function assertKnownCommands(program: Command, argv: readonly string[]): Promise<void> {
  let command: Command = program;
  for (const word of argv.filter((each) => !each.startsWith("-"))) {
    const { commands } = command;
    // The words after the last command are its arguments.
    if (commands.length === 0) return;
    if (word === "help") continue;
    const called = commands.find((each) => each.name() === word);
    if (called === undefined) {
      const { closest } = await import("./options/closest.js");
      const names = commands.map((each) => each.name());
      const suggestion = closest(word, names);
      const help = suggestion === undefined ? "" : `\n(Did you mean ${suggestion}?)`;
      command.error(`error: unknown command '${word}'${help}`);
    }
    command = called;
  }
}

/** Writes without waiting, because Commander does not wait. A failed write needs no report: a closed pipe aborts the command. */
function written(output: Output, text: string): void {
  output.write(text).catch(() => {});
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Reads the version at run time, so that the built code need not contain it. */
function versionOfPackage(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
