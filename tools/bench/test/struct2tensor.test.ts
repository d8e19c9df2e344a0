import { describe, expect, test } from "@jest/globals";
import { fromProto } from "@tfxio/struct2tensor";
import { parseProto } from "@tfxio/formats-protobuf";
import { Random } from "../src/sets/random.js";
import { eventLeaves } from "../src/struct2tensor/messages.js";
import { ourQueries } from "../src/struct2tensor/our-queries.js";
import { querySets } from "../src/struct2tensor/query-sets.js";

const inputOf = async (set: (typeof querySets)[number], count: number) => {
  const random = new Random(7);
  const type = await parseProto(set.messages.proto, set.messages.message);
  return { set, type, path: "", records: Array.from({ length: count }, () => set.messages.record(random)) };
};

describe("sets of `pnpm bench struct2tensor`", () => {
  test.each(querySets.map((set) => [set.name, set] as const))(
    "include %s, which has values in its leaves",
    async (_, set) => {
      const prepared = await ourQueries(await inputOf(set, 30));
      const { numValues, seconds } = await prepared.run();
      expect(numValues).toBeGreaterThanOrEqual(30);
      expect(seconds).toBeGreaterThan(0);
    },
  );

  test("include an event log with 40 leaves on five levels, from which three sets select 2, 8 and 40 leaves", async () => {
    const log = querySets.find(({ name }) => name === "event_log_100")!;
    const { type, records } = await inputOf(log, 1);
    const expression = fromProto(records, type);
    const leaves = expression.knownPaths().filter(({ path }) => expression.typeOf(path).kind === "leaf");
    expect(leaves.map(({ path }) => `${path}`).sort()).toEqual([...eventLeaves].sort());
    expect(new Set(leaves.map(({ path }) => path.length)).size).toBe(5);
    const shares = querySets
      .filter(({ name }) => name.startsWith("event_log"))
      .map(({ paths }) => paths.length);
    expect(shares).toEqual([2, 8, 40]);
  });
});
