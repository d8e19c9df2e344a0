import { expect, test } from "@jest/globals";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { Field, Int32, makeData, Schema as ArrowSchema } from "apache-arrow";
import { arrow } from "../src/index.js";
import { readBatches } from "./read.js";
import { writeBatches } from "./written.js";

test("twenty thousand columns, and as many features without a column, are read in less than 20 seconds", async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `column${index}`);
  const fields = names.map((name) => new Field(name, new Int32(), true));
  const arrowSchema = new ArrowSchema(fields);
  const column = makeData({ type: new Int32(), data: Int32Array.of(1, 2) });
  const batch = recordBatchOf(
    arrowSchema,
    2,
    names.map(() => column),
  );
  const features = [...names, ...names.map((name) => `absent ${name}`)];
  const schema = parseSchemaText(features.map((name) => `feature { name: "${name}" type: INT }`).join("\n"));
  const start = performance.now();
  const bytes = await writeBatches(arrowSchema, [batch]);
  const { batches } = await readBatches(arrow, [bytesSource(bytes, "wide")], { schema });
  expect(batches[0]!.data.children).toHaveLength(40_000);
  expect(batches[0]!.data.children[39_999]!.nullCount).toBe(2);
  // Quadratic time would take minutes.
  expect(performance.now() - start).toBeLessThan(20_000);
});
