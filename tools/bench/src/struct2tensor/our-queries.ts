import { applyStep } from "@tfxio-tools/conformance/struct2tensor/apply-step";
import { createQueryPlan, type Prensor, protoPlaceholder } from "@tfxio/struct2tensor";
import { BenchError } from "../measurement.js";
import type { PreparedQuery, QueryInput } from "./query-input.js";
import { batchRecords } from "./query-input.js";
import type { QuerySet } from "./query-sets.js";

/**
 * Plans a query with our library, for lists of records in memory. The method `run` of the result measures the processor time of
 * all threads.
 */
export async function ourQueries({ set, type, records }: QueryInput): Promise<PreparedQuery> {
  const plan = await createQueryPlan([
    set.query.reduce(applyStep, protoPlaceholder(type)).project(set.paths),
  ]);
  const batches: (readonly Uint8Array[])[] = [];
  for (let from = 0; from < records.length; from += batchRecords) {
    batches.push(records.slice(from, from + batchRecords));
  }
  const runAll = (): number =>
    batches.reduce((sum, batch) => {
      const [prensor] = plan.calculate({ records: batch }).prensors;
      if (prensor === undefined) throw new BenchError("the plan has no output");
      return sum + view(prensor, set);
    }, 0);
  return {
    run: async () => {
      const before = process.cpuUsage();
      const numValues = runAll();
      const { user, system } = process.cpuUsage(before);
      return { seconds: (user + system) / 1e6, numValues };
    },
  };
}

/** Converts every leaf to the form that the query set names, and returns the total number of values. */
function view(prensor: Prensor, { paths, view: form }: QuerySet): number {
  let numValues = 0;
  for (const path of paths) {
    if (form === "nodes") numValues += prensor.leaf(path).values.length;
    else if (form === "dense") numValues += prensor.dense(path, { defaultValue: 0n }).values.length;
    else numValues += prensor[form](path).values.length;
  }
  return numValues;
}
