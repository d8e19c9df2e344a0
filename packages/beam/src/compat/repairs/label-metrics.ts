import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/** Namespace of user metrics. The SDK leaves it empty, but Java runners require one. */
const NAMESPACE = "tfxio";

/**
 * A metric names its transform in the label `PTRANSFORM`. The SDK writes `TRANSFORM` and an empty namespace, so Java runners drop
 * every user metric (Flink).
 */
export const labelMetrics: Repair = {
  defect: "user metrics are dropped by Java runners",
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
