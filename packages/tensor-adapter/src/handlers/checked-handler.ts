import { ArgumentError, ConversionError, isTfxioError, UserFunctionError } from "@tfxio/wire";
import { assertHostColumn, isHostColumn } from "../host/check-host-column.js";
import { type HostColumn, numRowsOf } from "../host/host-column.js";
import { specMismatch } from "../tensors/read-tensor.js";
import type { TensorHandler } from "./tensor-handler.js";
import { specOf } from "../type-spec.js";
import { assertArgument, describeValue } from "@tfxio/wire/checks";
import { aMap } from "../argument-rules.js";

const trustedHandlers = new WeakSet<TensorHandler>();
const ownHandlers = new WeakSet<TensorHandler>();

/** Marks a handler as built-in, so that its results are not checked, and returns it. */
export function trusted<Handler extends TensorHandler>(handler: Handler): Handler {
  trustedHandlers.add(handler);
  return handler;
}

/** True for a custom handler wrapped by {@link checkedHandler}. */
export function isOwn(handler: TensorHandler): boolean {
  return ownHandlers.has(handler);
}

/**
 * Wraps a handler to check its results. Each must be a valid host column, match the handler's spec, and have as many rows as
 * the batch. Returns built-in and already wrapped handlers unchanged.
 */
export function checkedHandler(tensorName: string, handler: TensorHandler): TensorHandler {
  if (trustedHandlers.has(handler) || ownHandlers.has(handler)) return handler;
  const { typeSpec, sourceColumns } = handler;
  const own: TensorHandler = {
    typeSpec,
    sourceColumns,
    toHost: (batch) => {
      const column = called(tensorName, () => handler.toHost(batch));
      if (!isHostColumn(column)) {
        throw new ConversionError(
          "shape-mismatch",
          `The handler must return a host column: dense, sparse or ragged. Found ${describeValue(column)}.`,
          { reason: "malformed-tensor" },
        );
      }
      assertHostColumn(column);
      if (!typeSpec.isCompatibleWith(column)) throw specMismatch(typeSpec, specOf(column), undefined);
      const numRows = numRowsOf(column);
      if (numRows === batch.numRows) return column;
      throw new ConversionError(
        "shape-mismatch",
        `The handler must return ${batch.numRows} rows, as many as the batch has, but returned ${numRows}.`,
        {
          reason: "row-count",
        },
      );
    },
  };
  ownHandlers.add(own);
  return own;
}

/**
 * Calls a custom handler. Rethrows schema and conversion errors, to which the adapter adds the tensor name.
 * @throws {UserFunctionError} naming the tensor, for any other error that the handler throws.
 */
function called(tensorName: string, toHost: () => HostColumn): unknown {
  try {
    return toHost();
  } catch (cause) {
    if (isTfxioError(cause, "not-convertible", "out-of-range", "shape-mismatch")) throw cause;
    if (isTfxioError(cause, "schema-invalid", "schema-mismatch")) throw cause;
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new UserFunctionError(`The handler of tensor "${tensorName}" failed: ${what}`, { cause });
  }
}

/** Checks the option `handlers`. @throws {ArgumentError} `invalid-argument` unless it is a Map whose values are all handlers. */
export function assertHandlers(handlers: ReadonlyMap<string, TensorHandler>): void {
  assertArgument("handlers", handlers, aMap);
  for (const [name, handler] of handlers) {
    const { typeSpec, sourceColumns, toHost } = (handler ?? {}) as Partial<TensorHandler>;
    if (
      typeof typeSpec?.equals === "function" &&
      typeof typeSpec.isCompatibleWith === "function" &&
      Array.isArray(sourceColumns) &&
      sourceColumns.every((path: { readonly steps?: unknown } | undefined) => Array.isArray(path?.steps)) &&
      typeof toHost === "function"
    )
      continue;
    throw new ArgumentError(
      "invalid-argument",
      `handlers must map "${name}" to a handler with typeSpec, sourceColumns (ColumnPaths) and toHost, ` +
        `found ${describeValue(handler)}.`,
      { argument: `handlers "${name}"` },
    );
  }
}
