import { encodeTfRecordIndex, indexTfRecords } from "@tfxio/formats-tfrecord";
import { openSources, openTarget } from "@tfxio/wire";
import type { Command } from "commander";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { assertNoStdin, storeOption, withJson } from "../options/source-options.js";
import { loadStores } from "../options/stores.js";
import { createProgress } from "../output/progress.js";
import { bytesText, counted } from "../output/units.js";

/** Options of `tfxio index`. */
interface IndexOptions {
  readonly json?: boolean;
  readonly store?: readonly string[];
}

/**
 * Declares `tfxio index`. It writes `FILE.index` next to each file. Other commands use the index if `--option index=beside` is
 * given.
 */
export const declareIndex: DeclareCommand = (command, host) => {
  withExamples(
    withJson(withSourcesOfIndex(command), "one line per file"),
    "tfxio index 'train-*.tfrecord'",
  ).action((sources: readonly string[], options: IndexOptions) => indexFiles(sources, options, host));
};

/** Adds the sources and `--store`. Indexing does not decode records, so the other reading options have no meaning. */
function withSourcesOfIndex(command: Command): Command {
  return command
    .argument(
      "<sources...>",
      "uncompressed TFRecord files: paths, or globs in quotes; FILE.index is written next to each FILE",
    )
    .addOption(storeOption(command));
}

/** Indexes one file after the other. An index appears under its name only when it is complete. */
async function indexFiles(
  inputs: readonly string[],
  { json, store }: IndexOptions,
  host: Host,
): Promise<void> {
  assertNoStdin("index", inputs);
  const { signal, stdout } = host;
  const stores = await loadStores(store);
  const sources = await openSources(inputs, { signal, stores });
  for (const source of sources) {
    const progress = await createProgress(`indexing ${source.uri}`, host);
    const onProgress = ({ numRecords, numBytes }: { numRecords: number; numBytes: number }): void =>
      progress.update({ numRows: numRecords, numBytes });
    try {
      const { numRecords, ...index } = await indexTfRecords(source, { signal, onProgress });
      const bytes = encodeTfRecordIndex({ numRecords, ...index });
      const uri = `${source.uri}.index`;
      const target = await openTarget(uri, { stores });
      try {
        await target.write(bytes);
        await target.commit();
      } catch (error) {
        await target.discard();
        throw error;
      }
      progress.end();
      const text = `${uri}: ${counted(numRecords, "record")}, ${bytesText(bytes.length)}`;
      await stdout.write(
        `${json === true ? JSON.stringify({ uri, numRecords, numBytes: bytes.length }) : text}\n`,
      );
    } finally {
      progress.end();
    }
  }
}
