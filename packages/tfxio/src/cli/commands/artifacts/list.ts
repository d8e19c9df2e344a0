import { type DeclareCommand, withExamples } from "../../command.js";
import { wholeNumber } from "../../options/source-options.js";
import { tableText } from "../../output/table.js";
import { artifactJson } from "./artifact-json.js";
import { useStore, withStore } from "./open-store.js";

/** Options of `tfxio artifacts ls`. */
interface ListOptions {
  readonly where?: string;
  readonly limit?: number;
  readonly newest?: boolean;
  readonly json?: boolean;
}

/** Number of artifacts that are read at a time. With `--json`, this bounds memory for large stores. */
const PAGE_SIZE = 500;

/** Declares `tfxio artifacts ls`. JSON is written page by page; a table is written when all artifacts are known. */
export const declareList: DeclareCommand = (command, { stdout, stderr, signal }) => {
  withExamples(
    withStore(command, "one line per artifact")
      .option("-w, --where <query>", "artifacts to list, as a filter query of ML Metadata; default: all")
      .option("-n, --limit <artifacts>", "maximum number of artifacts to list; default: all", wholeNumber(0))
      .option("--newest", "newest first; default: by id"),
    "tfxio artifacts ls metadata.sqlite",
    `tfxio artifacts ls metadata.sqlite -w "type = 'Examples' AND state = LIVE" --newest -n 5`,
  ).action((file: string, { where = "", limit = Number.POSITIVE_INFINITY, newest, json }: ListOptions) =>
    useStore(file, "read", async ({ store }) => {
      const rows: string[][] = [];
      let left = limit;
      let pageToken: string | undefined;
      do {
        signal.throwIfAborted();
        const page = store.artifacts.page({
          filter: where,
          pageSize: PAGE_SIZE,
          ...(newest === true && { orderBy: "createTime", isDescending: true }),
          ...(pageToken !== undefined && { pageToken }),
        });
        const nodes = page.nodes.slice(0, left);
        left -= nodes.length;
        pageToken = page.nextPageToken;
        if (json === true)
          await stdout.write(nodes.map((artifact) => `${JSON.stringify(artifactJson(artifact))}\n`).join(""));
        else
          rows.push(
            ...nodes.map(({ id, type, state = "", name = "", uri }) => [String(id), type, state, name, uri]),
          );
      } while (pageToken !== undefined && left > 0);
      if (json === true) return;
      if (rows.length === 0) await stderr.write("No artifacts.\n");
      else await stdout.write(tableText({ head: ["id", "type", "state", "name", "uri"], rows }, stdout));
    }),
  );
};
