import { expect, test } from "@jest/globals";
import { createMessageEncoder } from "@tfxio/formats-protobuf";
import {
  createDataView,
  createQueryPlan,
  decodeDataView,
  encodeDataView,
  type Expression,
  protoPlaceholder,
  toRecordBatch,
} from "@tfxio/struct2tensor";
import { Random } from "@tfxio/wire";
import { applyStep } from "../naive/apply-step.js";
import { type Batch, flattenPrensor, toPrensor } from "../naive/data.js";
import { interpret, ShapeMismatch } from "../naive/interpreter.js";
import { allFields, pick, randomBatch, randomStep } from "../naive/random-query.js";
import { randomSchemas } from "../naive/run-trial.js";

// `pnpm check` draws more cases, which must include every operator that is listed below.
const isThorough = process.env["TFXIO_FUZZ_RECORDS"] !== undefined;
const NUM_QUERIES = isThorough ? 500 : 24;

test(
  "random queries return the same results after saving and loading",
  async () => {
    const { shapes } = await randomSchemas(21, 20);
    const used = new Set<string>();
    let numSaved = 0;
    for (let trial = 0; trial < NUM_QUERIES; trial++) {
      const random = Random.of(22, trial);
      const { shape, type } = pick(random, shapes);
      const start = randomBatch(random, shape);
      let batch: Batch = start;
      let query: Expression = protoPlaceholder(type);
      for (let number = 0; number < 4; number++) {
        const step = randomStep(random, batch.shape, `q${number}`);
        if (step === undefined) continue;
        try {
          batch = interpret(batch, step);
        } catch (error) {
          if (error instanceof ShapeMismatch) continue;
          throw error;
        }
        query = applyStep(query, step);
      }
      // Bools cannot be outputs. Queries with callbacks cannot be saved, so they are skipped below.
      const leaves = allFields(batch.shape).filter(
        ({ shape: { dtype } }) => dtype !== undefined && dtype !== "bool",
      );
      if (leaves.length === 0) continue;
      const outputs = Object.fromEntries(
        leaves.map(({ path }) => [path.join("/"), { path: path.join("."), view: "ragged" } as const]),
      );
      const view = await createDataView(query, { outputs });
      const files = await encodeDataView(view).catch((error: { readonly reason?: string }) => {
        if (error.reason === "not-serializable") return undefined;
        throw error;
      });
      if (files === undefined) continue;
      numSaved++;
      for (const { node } of view.plan.nodes) used.add(node.op);
      const loaded = await decodeDataView(files);
      if (loaded.kind !== "expression") throw new Error(`a query is loaded as ${loaded.kind}`);
      const encoder = await createMessageEncoder(type);
      const records = [...encoder.encode(toRecordBatch(toPrensor(start)))];
      const [plan, again] = await Promise.all([
        createQueryPlan([view.expression]),
        createQueryPlan([loaded.expression]),
      ]);
      expect(flattenPrensor(again.calculate({ records }).prensors[0]!)).toEqual(
        flattenPrensor(plan.calculate({ records }).prensors[0]!),
      );
      expect(await encodeDataView(loaded)).toEqual(files);
    }
    expect(numSaved).toBeGreaterThan(NUM_QUERIES / 3);
    if (!isThorough) return;
    const drawn = [
      "broadcast",
      "descend",
      "fill",
      "filterByChild",
      "filterBySibling",
      "has",
      "indexFromEnd",
      "mapSparseTensors",
    ];
    const others = ["mapFieldValues", "positionalIndex", "promote", "protoIndex", "reroot", "size", "slice"];
    expect([...used]).toEqual(expect.arrayContaining([...drawn, ...others]));
  },
  10 * 60_000,
);
