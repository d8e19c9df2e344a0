import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire/errors";
import { type MetadataStore, openMetadataStore, type Page } from "@tfxio/artifacts";
import { dumpOf, type MlmdDump } from "../src/mlmd/dump.js";

// The folder contains stores that ml-metadata 1.17.1 wrote with random calls. Its README describes them.
const folder = path.join(import.meta.dirname, "../../../../shared/goldens/mlmd");
const stores = ["00", "01", "02", "03", "04", "08"].map((number) => `store_${number}`);

type Query = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly kind: "list" | "page" | "lineage" | "related";
  readonly entity?: "artifacts" | "executions" | "contexts";
  readonly expect: Readonly<Record<string, unknown>>;
};

(existsSync(folder) ? describe : describe.skip).each(stores)("%s of ml-metadata", (name) => {
  test("has the contents that ml-metadata's client reports", async () => {
    const store = await openMetadataStore(path.join(folder, `${name}.sqlite`), { access: "read" });
    const { format: _, checkedWith: __, store: ___, ...dump } = json(`${name}.json`) as MlmdDump;
    // ml-metadata's lists of types omit external ids, which the files contain.
    expect(withoutTypeIds(dumpOf(store))).toEqual(withoutTypeIds(dump));
    store.close();
  });

  test("returns the same results as ml-metadata's client for 28 queries", async () => {
    const store = await openMetadataStore(path.join(folder, `${name}.sqlite`), { access: "read" });
    const { queries } = json(`${name}.queries.json`) as { readonly queries: readonly Query[] };
    expect(queries).toHaveLength(28);
    const ours = queries.map((query) => ({ id: query.id, answer: answer(store, query) }));
    const theirs = queries.map(({ id, expect: expected }) => ({ id, answer: peerAnswer(expected) }));
    expect(ours).toEqual(theirs);
    store.close();
  });
});

function withoutTypeIds(dump: MlmdDump): MlmdDump {
  const types = ["artifact_types", "execution_types", "context_types"].map((name) => [
    name,
    (dump[name] as readonly object[]).map((type) => ({ ...type, external_id: undefined })),
  ]);
  return { ...dump, ...(Object.fromEntries(types) as MlmdDump) };
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, file), "utf8"));
}

/**
 * Returns ml-metadata's answer in our form. If an artifact has no contexts, ml-metadata raises NotFoundError, whereas our list is
 * empty.
 */
function peerAnswer(expected: Query["expect"]): unknown {
  const { error } = expected as { readonly error?: { readonly type: string } };
  if (error?.type === "NotFoundError") return { ids: [] };
  return error === undefined ? expected : { error: error.type };
}

function answer(store: MetadataStore, query: Query): unknown {
  try {
    return ask(store, query);
  } catch (error) {
    if (isTfxioError(error, "invalid-argument") && error.reason === "filter-query") {
      return { error: "InvalidArgumentError" };
    }
    throw error;
  }
}

const ORDERS = {
  ID: "id",
  CREATE_TIME: "createTime",
  UPDATE_TIME: "lastUpdateTime",
  LAST_UPDATE_TIME: "lastUpdateTime",
} as const;

function ask(store: MetadataStore, query: Query): unknown {
  const options = (query["options"] ?? {}) as Readonly<Record<string, unknown>>;
  const order = {
    ...(options["filter_query"] === undefined ? {} : { filter: options["filter_query"] as string }),
    ...(options["order_by"] === undefined
      ? {}
      : { orderBy: ORDERS[options["order_by"] as keyof typeof ORDERS] }),
    isDescending: options["is_asc"] === false,
  };
  switch (query.kind) {
    case "list": {
      const limit = options["limit"] as number | undefined;
      return {
        ids: ids(
          store[query.entity ?? "artifacts"].list({ ...order, ...(limit === undefined ? {} : { limit }) }),
        ),
      };
    }
    case "page": {
      const pages: number[][] = [];
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const found: Page<{ readonly id: number }> = store[query.entity ?? "artifacts"].page({
          ...order,
          pageSize: options["max_result_size"] as number,
          ...(pageToken === "" ? {} : { pageToken }),
        });
        pages.push(ids(found.nodes));
        pageToken = found.nextPageToken;
      }
      return { pages };
    }
    case "lineage":
      return lineage(store, query);
    case "related": {
      const [argument] = query["args"] as [never];
      switch (query["method"]) {
        case "get_artifacts_by_context":
          return { ids: ids(store.artifacts.byContext(argument)) };
        case "get_children_contexts_by_context":
          return { ids: ids(store.contexts.children(argument)) };
        case "get_contexts_by_artifact":
          return { ids: ids(store.contexts.byArtifact(argument)) };
        default:
          return { ids: ids(store.artifacts.byUri(argument)) };
      }
    }
  }
}

function lineage(store: MetadataStore, query: Query): unknown {
  const directions = { UPSTREAM: "upstream", DOWNSTREAM: "downstream", BIDIRECTIONAL: "both" } as const;
  const [fromArtifacts, fromExecutions] = [
    query["starting_artifacts"],
    query["starting_executions"],
  ] as string[];
  const until = query["ending_executions"] as string | undefined;
  const found = store.lineage({
    ...(fromArtifacts === undefined ? {} : { fromArtifacts }),
    ...(fromExecutions === undefined ? {} : { fromExecutions }),
    direction: directions[query["direction"] as keyof typeof directions],
    maxHops: query["max_num_hops"] as number,
    ...(until === undefined
      ? {}
      : { untilExecutions: { filter: until, isIncluded: query["include_ending_nodes"] as boolean } }),
  });
  const sorted = <Row extends readonly (number | string)[]>(rows: readonly Row[]): Row[] =>
    [...rows].sort(
      (a, b) =>
        Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]) || (String(a[2]) < String(b[2]) ? -1 : 1),
    );
  return {
    artifacts: found.artifactIds,
    executions: found.executionIds,
    contexts: found.contextIds,
    events: sorted(found.events.map(({ artifactId, executionId, type }) => [artifactId, executionId, type])),
    attributions: sorted(found.attributions.map(({ contextId, artifactId }) => [contextId, artifactId])),
    associations: sorted(found.associations.map(({ contextId, executionId }) => [contextId, executionId])),
  };
}

function ids(nodes: readonly { readonly id: number }[]): number[] {
  return nodes.map(({ id }) => id);
}
