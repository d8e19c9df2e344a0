import { expect, test } from "@jest/globals";
import type { MetadataStore } from "../src/store/metadata-store.js";
import { temporaryStore } from "./temporary-store.js";

async function sampleStore(): Promise<MetadataStore> {
  const store = await temporaryStore();
  store.types.put("artifact", { name: "Examples", properties: { span: "INT" } });
  store.types.put("execution", { name: "Trainer" });
  store.types.put("context", { name: "run" });
  store.artifacts.put([
    {
      type: "Examples",
      name: "art-1",
      uri: "/it's",
      state: "LIVE",
      properties: { span: 1n },
      customProperties: { "a b": 0.5 },
    },
    { type: "Examples", name: "art-2", uri: '/"q"', state: "ABANDONED", properties: { span: 2n } },
    { type: "Examples", uri: "/none", customProperties: { ok: true } },
  ]);
  store.executions.put([{ type: "Trainer", lastKnownState: "COMPLETE" }]);
  store.contexts.put([{ type: "run", name: "r-1" }]);
  store.events.put([{ artifactId: 2, executionId: 1, type: "INPUT", timeMs: 7 }]);
  store.links.put({
    attributions: [{ contextId: 1, artifactId: 1 }],
    associations: [{ contextId: 1, executionId: 1 }],
  });
  return store;
}

// The syntax is that of ml-metadata: strings have single or double quotes and may contain escapes, and property names can be
// quoted. An artifact without a state matches `state != LIVE`. filter_query_builder.cc adds an inner join for each neighbour and
// property, so a node matches only if it has all those that the query mentions, even under OR and NOT.
test.each([
  [`uri = '/it\\'s' OR uri = "/\\"q\\""`, [1, 2]],
  ["custom_properties.`a b`.double_value < 1", [1]],
  ["custom_properties.ok.bool_value", [3]],
  ["NOT custom_properties.ok.bool_value", []],
  ["custom_properties.ok.bool_value OR id = 1", [3]],
  ["state != LIVE", [2, 3]],
  ["state NOT IN (LIVE, ABANDONED)", [3]],
  ["state IS NULL", [3]],
  ["name NOT LIKE 'ART-1'", [2]],
  ["properties.span.int_value BETWEEN 1 AND 1.5", [1]],
  ["properties.span.int_value IN (-1, +2)", [2]],
  ["events_0.type = INPUT AND events_0.milliseconds_since_epoch = 7 AND events_0.execution_id = 1", [2]],
  ["contexts_a.type = 'run' and not contexts_a.name = 'x'", [1]],
  ["(((id >= 2) AND id <> 3))", [2]],
  ["TRUE", [1, 2, 3]],
  ["type_id = 10 AND create_time_since_epoch > 0", [1, 2, 3]],
])("artifacts.list returns exactly the artifacts where %s", async (filter, ids) => {
  const store = await sampleStore();
  expect(store.artifacts.list({ filter }).map(({ id }) => id)).toEqual(ids);
});

test("executions can be filtered by state and events, and contexts by the artifacts and executions that they hold", async () => {
  const store = await sampleStore();
  expect(
    store.executions.list({ filter: "last_known_state IN (COMPLETE) AND events_e.artifact_id = 2" }),
  ).toHaveLength(1);
  expect(
    store.contexts.list({ filter: "artifacts_a.state = LIVE AND executions_e.last_known_state = COMPLETE" }),
  ).toHaveLength(1);
  expect(store.contexts.list({ filter: "artifacts_a.uri = '/none'" })).toEqual([]);
});

const invalidQueries: readonly (readonly [filter: string, offset: number])[] = [
  ["nosuch = 1", 0],
  ["last_known_state = RUNNING", 0],
  ["type = ", 7],
  ["id = 'x'", 5],
  ["name = 5", 7],
  ["state = 2", 8],
  ["state = 'LIVE'", 8],
  ["state = ALIVE", 8],
  ["state < LIVE", 6],
  ["id", 2],
  ["id = 1 id", 7],
  ["id = 1; DROP TABLE Artifact", 6],
  ["id IN ()", 7],
  ["(id = 1", 7],
  ["id = 99999999999999999999", 5],
  ["length(name) = 1", 0],
  ["properties.span.byte_value = 1", 16],
  ["contexts_.id = 1", 0],
  ["contexts_a = 1", 0],
  ["name LIKE 5", 10],
  ["name = 'a", 7],
  ["name = 'a\\q'", 7],
  ["id IS 5", 6],
  [`${"(".repeat(101)}TRUE${")".repeat(101)}`, 101],
  ["a".repeat(70_000), 0],
];

test.each(invalidQueries.map(([filter, offset]) => [filter.slice(0, 40), offset, filter] as const))(
  "the filter query %s is rejected at offset %i",
  async (_, offset, filter) => {
    const store = await sampleStore();
    expect(() => store.artifacts.list({ filter })).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        reason: "filter-query",
        message: expect.stringContaining(`at offset ${offset}.`),
      }),
    );
  },
);

test.each([
  ["artifacts", "contexts_%.id = 1", 20],
  ["artifacts", "events_%.type = INPUT", 60],
  ["artifacts", "properties.p%.int_value = 1", 60],
  ["executions", "contexts_%.id = 1", 20],
  ["contexts", "artifacts_%.id = 1", 20],
  ["contexts", "executions_%.id = 1", 20],
  ["contexts", "parent_contexts_%.id = 1", 20],
  ["contexts", "child_contexts_%.id = 1", 20],
] as const)(
  "a filter query of %s may repeat the condition %s up to %i times with different numbers in place of the percent sign",
  async (kind, condition, most) => {
    const store = await sampleStore();
    const list = (count: number) =>
      store[kind].list({
        filter: Array.from({ length: count }, (_, n) => condition.replace("%", `${n}`)).join(" AND "),
      });
    expect(() => list(most)).not.toThrow();
    expect(() => list(most + 1)).toThrow(expect.objectContaining({ reason: "filter-query" }));
  },
);

test("the error for an integer beyond int64 shows its sign", async () => {
  const store = await sampleStore();
  const list = () => store.artifacts.list({ filter: "id = -99999999999999999999" });
  expect(list).toThrow(
    "must not have integers beyond int64 (-2^63 to 2^63 - 1), found -99999999999999999999, at offset",
  );
});

test("a page token continues a listing, but is rejected if malformed, or if the order or the kind of node changes", async () => {
  const store = await sampleStore();
  const { nodes, nextPageToken = "" } = store.artifacts.page({ pageSize: 2, orderBy: "createTime" });
  expect(nodes.map(({ id }) => id)).toEqual([1, 2]);
  expect(
    store.artifacts.page({ pageSize: 2, orderBy: "createTime", pageToken: nextPageToken }),
  ).toMatchObject({
    nodes: [{ id: 3 }],
    nextPageToken: undefined,
  });
  const rejected = expect.objectContaining({ code: "invalid-argument", reason: "page-token" });
  for (const options of [{ pageToken: nextPageToken }, { pageToken: "###" }, { pageToken: "e30" }]) {
    expect(() => store.artifacts.page(options)).toThrow(rejected);
  }
  expect(() => store.executions.page({ orderBy: "createTime", pageToken: nextPageToken })).toThrow(rejected);
});
