import { existsSync } from "node:fs";
import path from "node:path";
import { SourceError } from "@tfxio/wire/errors";
import { type DeclareCommand, withExamples } from "../../command.js";
import { wholeNumber } from "../../options/source-options.js";
import { printable } from "../../output/printable.js";
import { counted } from "../../output/units.js";
import { useStore, withStore } from "./open-store.js";

/** Options of `tfxio artifacts gc`. */
interface CollectOptions {
  readonly root: string;
  readonly dryRun?: boolean;
  /** Hours. */
  readonly ignoreExecutionsAfter?: number;
  readonly json?: boolean;
}

const HOUR_MS = 3_600_000;

/** Declares `tfxio artifacts gc`. It prints the decision for each URI. With `--dry-run`, it opens the store only for reading. */
export const declareCollect: DeclareCommand = (command, { stdout, signal }) => {
  withExamples(
    withStore(command, "one line per URI")
      .requiredOption("--root <folder>", "folder of the pipeline; nothing outside it is deleted")
      .option("--dry-run", "explain why each URI would be deleted or kept, but delete nothing")
      .option(
        "--ignore-executions-after <hours>",
        "ignore running executions not updated for this many hours; default: every running execution protects its artifacts",
        wholeNumber(1),
      ),
    "tfxio artifacts gc metadata.sqlite --root pipeline --dry-run",
    "tfxio artifacts gc metadata.sqlite --root pipeline",
  ).action((file: string, { root, dryRun = false, ignoreExecutionsAfter, json }: CollectOptions) => {
    const folder = path.resolve(root);
    if (!existsSync(folder)) throw new SourceError("not-found", `${folder} does not exist.`, { uri: folder });
    return useStore(file, dryRun ? "read" : "write", async ({ store, library }) => {
      const { decisions, deletedIds } = await library.sweep(store, {
        files: library.localFiles(folder),
        isDryRun: dryRun,
        signal,
        ...(ignoreExecutionsAfter !== undefined && {
          ignoreExecutionsAfterMs: ignoreExecutionsAfter * HOUR_MS,
        }),
      });
      const lines = decisions.map((decision) =>
        json === true ? JSON.stringify(decision) : printable(decision.explanation),
      );
      if (json !== true) {
        const numArtifacts = dryRun
          ? decisions.flatMap(({ action, ownerIds }) => (action === "delete" ? ownerIds : [])).length
          : deletedIds.length;
        const verb = dryRun ? "Would delete" : "Deleted";
        lines.push(`${verb} the bytes of ${counted(numArtifacts, "artifact")}.`);
      }
      await stdout.write(lines.map((line) => `${line}\n`).join(""));
    });
  });
};
