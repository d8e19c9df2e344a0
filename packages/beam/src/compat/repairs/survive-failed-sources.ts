import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * A bundle waits for its sources one after another. If a source fails before the bundle waits for it, nothing handles the error
 * yet, so Node ends the process with all of its bundles. This repair marks the error as handled. The bundle still fails with it.
 */
export const surviveFailedSources: Repair = {
  defect: "a failed source ends the worker process",
  apply({ operators: { DataSourceOperator } }) {
    const { prototype } = DataSourceOperator;
    replaceMethod(
      prototype,
      "startBundle",
      (startBundle) =>
        async function (this: typeof prototype) {
          await startBundle.call(this);
          this.endOfData.catch(() => {});
        },
    );
  },
};
