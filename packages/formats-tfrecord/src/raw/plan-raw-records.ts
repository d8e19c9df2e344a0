import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import type { RawOptions } from "../options.js";
import { rawColumnsOf } from "./raw-columns.js";
import { createRawSession } from "./raw-session.js";

/** Plans a read of raw records. Throws the errors of {@link rawColumnsOf}. */
export function planRawRecords(request: PayloadRequest, options: RawOptions): PayloadPlan {
  const columns = rawColumnsOf(request, options);
  return {
    arrowSchema: columns.arrowSchema,
    schema: columns.schema,
    needsRecordIndices: columns.columns.some(({ content }) => content === "record-index"),
    createSession: () => createRawSession(columns),
  };
}
