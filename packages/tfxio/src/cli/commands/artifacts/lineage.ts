import { Option } from "commander";
import { type DeclareCommand, withExamples } from "../../command.js";
import { wholeNumber } from "../../options/source-options.js";
import { printable } from "../../output/printable.js";
import { artifactById, useStore, withArtifact, withStore } from "./open-store.js";

/** Options of `tfxio artifacts lineage`. */
interface LineageOptions {
  readonly direction: "upstream" | "downstream" | "both";
  readonly maxHops?: number;
  readonly mermaid?: boolean;
  readonly json?: boolean;
}

/**
 * Declares `tfxio artifacts lineage`. It prints a tree, a Mermaid flowchart, or JSON. The tree of `--direction both` runs from
 * upstream to downstream.
 */
export const declareLineage: DeclareCommand = (command, { stdout }) => {
  withExamples(
    withArtifact(withStore(command, "one object with ids and events"))
      .addOption(
        new Option(
          "-d, --direction <direction>",
          "upstream: what the artifact was derived from; downstream: what was derived from it",
        )
          .choices(["upstream", "downstream", "both"])
          .default("both"),
      )
      .option(
        "--max-hops <events>",
        "maximum distance from the artifact, in events; default: no limit",
        wholeNumber(0),
      )
      .addOption(new Option("--mermaid", "print a flowchart for Markdown").conflicts("json")),
    "tfxio artifacts lineage metadata.sqlite 3",
    "tfxio artifacts lineage metadata.sqlite 3 --direction upstream --mermaid",
  ).action((file: string, id: number, { direction, maxHops, mermaid, json }: LineageOptions) =>
    useStore(file, "read", async ({ store, library }) => {
      artifactById(store, id);
      const lineage = store.lineage({
        fromArtifacts: `id = ${id}`,
        direction,
        ...(maxHops !== undefined && { maxHops }),
      });
      if (json === true) {
        const { artifactIds, executionIds, contextIds, events } = lineage;
        await stdout.write(`${JSON.stringify({ artifactIds, executionIds, contextIds, events })}\n`);
        return;
      }
      const text =
        mermaid === true
          ? library.lineageMermaid(store, lineage)
          : library.lineageText(store, lineage, {
              direction: direction === "upstream" ? "upstream" : "downstream",
            });
      await stdout.write(`${text.split("\n").map(printable).join("\n")}\n`);
    }),
  );
};
