import type { Artifact } from "@tfxio/artifacts";
import { type DeclareCommand, withExamples } from "../../command.js";
import { wholeNumber } from "../../options/source-options.js";
import { printable } from "../../output/printable.js";
import { counted } from "../../output/units.js";
import { artifactJson } from "./artifact-json.js";
import { useStore, withStore } from "./open-store.js";

/** Options of `tfxio artifacts mark`. */
interface MarkOptions {
  readonly type: string;
  readonly keep: number;
  /** Name of a property. The artifacts with its largest values are kept. By default, the newest artifacts are kept. */
  readonly by?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Declares `tfxio artifacts mark`. Marking changes only the state in the store; `tfxio artifacts gc` deletes the bytes. */
export const declareMark: DeclareCommand = (command, { stdout, stderr }) => {
  withExamples(
    withStore(command, "one line per marked artifact")
      .requiredOption("--type <name>", "type of the artifacts")
      .requiredOption(
        "--keep <count>",
        "number of artifacts to keep, newest first; with --by, number of distinct values to keep, largest first",
        wholeNumber(1),
      )
      .option("--by <property>", "keep all artifacts with the largest values of a property, such as span")
      .option("--dry-run", "show what would be marked, but mark nothing"),
    "tfxio artifacts mark metadata.sqlite --type Examples --keep 3 --by span --dry-run",
    "tfxio artifacts mark metadata.sqlite --type Model --keep 5",
  ).action((file: string, { type, keep, by, dryRun = false, json }: MarkOptions) =>
    useStore(file, dryRun ? "read" : "write", async ({ store, library }) => {
      const policy =
        by === undefined
          ? library.keepNewest({ type, count: keep })
          : library.keepLargestGroups({ type, property: by, count: keep });
      const chosen = store.artifacts.byId(library.markForDeletion(store, policy, { isDryRun: dryRun }));
      if (chosen.length === 0) {
        const live = store.artifacts
          .list({ filter: "state = LIVE" })
          .filter((artifact) => artifact.type === type);
        const missing = live.length === 0 ? `the type ${type}` : `the type ${type} and the property ${by}`;
        if (!live.some((artifact) => by === undefined || hasProperty(artifact, by)))
          await stderr.write(`No live artifact has ${printable(missing)}.\n`);
      }
      const lines = chosen.map((artifact) =>
        json === true ? JSON.stringify(artifactJson(artifact)) : printable(library.artifactLabel(artifact)),
      );
      if (json !== true)
        lines.push(`${dryRun ? "Would mark" : "Marked"} ${counted(chosen.length, "artifact")}.`);
      await stdout.write(lines.map((line) => `${line}\n`).join(""));
    }),
  );
};

/** Returns whether the artifact has a declared or custom property of this name. */
function hasProperty({ properties, customProperties }: Artifact, name: string): boolean {
  return Object.hasOwn(properties, name) || Object.hasOwn(customProperties, name);
}
