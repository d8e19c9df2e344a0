import { ConversionError } from "@tfxio/wire";
import { assertMap, invalidArgument } from "./check-argument.js";
import { assertHostColumn } from "./check-host-column.js";
import { numRowsOf } from "./host-column.js";
import { specMismatch } from "./read-tensor.js";
import type { TensorHandler } from "./tensor-handler.js";
import { specOf } from "./type-spec.js";

const checked = new WeakSet<TensorHandler>();

/** Says that a handler needs no check: it is one of ours, or checked already. */
export function trusted<Handler extends TensorHandler>(handler: Handler): Handler {
  checked.add(handler);
  return handler;
}

/**
 * The handler with its results checked, as others rely on them: a column that is whole, of the handler's own spec, with
 * a row for each row of the batch. Handlers of ours stay as they are.
 */
export function checkedHandler(handler: TensorHandler): TensorHandler {
  if (checked.has(handler)) return handler;
  const { typeSpec, sourceColumns } = handler;
  return trusted({
    typeSpec,
    sourceColumns,
    toHost: (batch) => {
      const column = handler.toHost(batch);
      assertHostColumn(column);
      if (!typeSpec.isCompatibleWith(column)) throw specMismatch(typeSpec, specOf(column), undefined);
      const numRows = numRowsOf(column);
      if (numRows === batch.numRows) return column;
      throw new ConversionError("shape-mismatch", `Found ${numRows} rows for a batch of ${batch.numRows}.`, {
        reason: "row-count",
      });
    },
  });
}

/** @throws {ArgumentError} `invalid-argument` for what are no handlers. */
export function assertHandlers(handlers: ReadonlyMap<string, TensorHandler>): void {
  assertMap("handlers", handlers);
  for (const [name, handler] of handlers) {
    const { typeSpec, sourceColumns, toHost } = (handler ?? {}) as Partial<TensorHandler>;
    if (
      typeof typeSpec?.equals === "function" &&
      Array.isArray(sourceColumns) &&
      typeof toHost === "function"
    )
      continue;
    throw invalidArgument(`handlers "${name}"`, "a handler with typeSpec, sourceColumns and toHost", handler);
  }
}
