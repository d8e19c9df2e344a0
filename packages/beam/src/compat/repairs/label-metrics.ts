import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/** Namespace of user metrics. The SDK leaves it empty, but Java runners require a namespace. */
const NAMESPACE = "tfxio";

/**
 * A metric names its transform in the label `PTRANSFORM`. The SDK writes the label `TRANSFORM` instead, and leaves the label
 * `NAMESPACE` empty, so Java runners such as Flink drop every user metric. This repair corrects both labels.
 */
export const labelMetrics: Repair = {
  defect: "Java runners drop user metrics",
  apply({ metrics: { MetricsContainer } }) {
    const spec = { metricType: "beam:metric:user:sum_int64:v1", name: "any" };
    const scoped = new MetricsContainer().getMetric("any", undefined, spec);
    const prototype = Object.getPrototypeOf(scoped) as typeof scoped;
    replaceMethod(
      prototype,
      "toEmptyMonitoringInfo",
      (toEmptyMonitoringInfo) =>
        function (this: typeof scoped) {
          const info = toEmptyMonitoringInfo.call(this);
          const { TRANSFORM, ...labels } = info.labels;
          if (TRANSFORM !== undefined) labels["PTRANSFORM"] = TRANSFORM;
          if (labels["NAMESPACE"] === "") labels["NAMESPACE"] = NAMESPACE;
          return { ...info, labels };
        },
    );
  },
};
