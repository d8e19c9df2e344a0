import type * as artifacts from "@tfxio/artifacts";
import { ArgumentError } from "@tfxio/wire/errors";
import { Argument, type Command } from "commander";
import { wholeNumber, withJson } from "../../options/source-options.js";

/** An open store, and the package that opened it. */
export interface OpenedStore {
  readonly store: artifacts.MetadataStore;
  readonly library: typeof artifacts;
}

/** Adds the store argument, `--debug` and `--json`. `what` describes the JSON output, such as "one line per URI". */
export function withStore(command: Command, what: string): Command {
  return withJson(
    command.argument("<store>", "SQLite file of ML Metadata").option("--debug", "show error stacks"),
    what,
  );
}

/** Adds the argument for an artifact id, as shown by `tfxio artifacts ls`. */
export function withArtifact(command: Command): Command {
  return command.addArgument(new Argument("<id>", "id of an artifact").argParser(wholeNumber(1)));
}

/**
 * Opens a store, calls `use`, and closes the store. The package is imported only here, because it loads SQLite. Throws the errors
 * of `openMetadataStore` and of `use`.
 */
export async function useStore<Result>(
  file: string,
  access: "read" | "write",
  use: (opened: OpenedStore) => Result | Promise<Result>,
): Promise<Result> {
  const library = await import("@tfxio/artifacts");
  const store = await library.openMetadataStore(file, { access });
  try {
    return await use({ store, library });
  } finally {
    store.close();
  }
}

/**
 * Returns an artifact of the store.
 * @throws {ArgumentError} `invalid-argument` (`unknown-entity`) for an id that the store lacks.
 */
export function artifactById(store: artifacts.MetadataStore, id: number): artifacts.Artifact {
  const [artifact] = store.artifacts.byId([id]);
  if (artifact !== undefined) return artifact;
  throw new ArgumentError("invalid-argument", `${store.path} has no artifact ${id}.`, {
    argument: "id",
    reason: "unknown-entity",
  });
}
