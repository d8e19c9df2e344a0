import { handedOver, itemsOf, cancellable, linkSignals } from "@tfxio/wire";
import { anInteger, assertMembers, invalidArgument, required, rule } from "@tfxio/wire/checks";
import type { SplitRows } from "../read-plan.js";
import { badOutput, createBatchCheck } from "./check-batch.js";
import type { PlanGuards } from "./plan-guards.js";

const someRows = rule("ascending row numbers as a Uint32Array", (value) => {
  return value instanceof Uint32Array && value.every((row, at) => at === 0 || row > value[at - 1]!);
});

/**
 * Wraps random access to rows. The wrapper checks the requested row numbers, and that the format yields as many rows as
 * requested. It ends reads on an abort, and when the reader is closed.
 */
export function guardRows(rows: SplitRows, { request, taker, closing }: PlanGuards): SplitRows {
  assertMembers("rows", rows, { numRows: required(anInteger(0, 2 ** 32)), read: null });
  const { numRows } = rows;
  return {
    numRows,
    read(numbers, options = {}) {
      if (!someRows.holds(numbers)) throw invalidArgument("rows", someRows.expected, numbers);
      const last = numbers.at(-1);
      if (last !== undefined && last >= numRows) {
        throw invalidArgument("rows", `row numbers below ${numRows}`, last, { reason: "row-number" });
      }
      return cancellable((leaving) => {
        const link = linkSignals(leaving, options.signal, closing);
        const { signal } = link;
        const check = createBatchCheck(request, {}, taker.id);
        const batches = itemsOf(() => rows.read(numbers, { signal }));
        let numRead = 0;
        return handedOver(
          async () => {
            try {
              signal.throwIfAborted();
              const batch = await batches.next();
              signal.throwIfAborted();
              if (batch !== undefined) check(batch);
              numRead += batch?.numRows ?? 0;
              const isRight = batch === undefined ? numRead === numbers.length : numRead <= numbers.length;
              if (!isRight) {
                throw badOutput(
                  `${taker.id} must yield the ${numbers.length} requested rows, found ${numRead}.`,
                );
              }
              return batch;
            } catch (error) {
              signal.throwIfAborted();
              throw error;
            }
          },
          async () => {
            try {
              await batches.close();
            } finally {
              link.unlink();
            }
          },
        );
      });
    },
  };
}
