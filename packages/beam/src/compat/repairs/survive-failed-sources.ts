import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * A bundle waits for its sources one after another. If a source fails before its turn, nothing handles its error yet, and Node
 * ends the process with all of its bundles. This repair marks the error as handled. The bundle still fails with it.
 */
export const surviveFailedSources: Repair = {
  defect: "a failed source ends the process of its worker",
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
