import { expect, test } from "@jest/globals";
import { ColumnPath, defineSchema, int } from "@tfxio/schema";
import { readCsv } from "./read-csv.js";

const schema = defineSchema({ features: { a: int(), b: int() } });
const columns = [ColumnPath.of("a")];

test("a schema column that is not requested is skipped, even if unlisted columns are rejected", async () => {
  const request = { schema, columns, unlisted: "error" } as const;
  expect(await readCsv("a,b\n1,2\n", { request })).toEqual([{ a: [1] }]);
});

test("a column outside the schema is rejected at its first value, whichever columns are requested", async () => {
  for (const asked of [undefined, columns]) {
    const request = { schema, columns: asked, unlisted: "error" } as const;
    await expect(readCsv("a,b,c\n1,2,\n1,2,3\n", { request })).rejects.toMatchObject({
      code: "schema-mismatch",
      columnPath: "c",
      recordIndex: 1,
    });
    expect(await readCsv("a,b,c\n1,2,\n", { request })).toHaveLength(1);
  }
});
