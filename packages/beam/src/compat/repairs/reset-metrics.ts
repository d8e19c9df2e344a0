import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * The SDK resets a metrics container between bundles, but not the values in it. Each bundle therefore reports the counts of
 * earlier bundles again. This repair resets the values too.
 */
export const resetMetrics: Repair = {
  defect: "counters include the counts of earlier bundles again",
  apply({ metrics: { MetricsContainer } }) {
    const { prototype } = MetricsContainer;
    replaceMethod(
      prototype,
      "reset",
      (reset) =>
        function (this: typeof prototype) {
          for (const { value } of this.metrics.values()) value.reset();
          reset.call(this);
        },
    );
  },
};
