import { broadcastOperator } from "./broadcast.js";
import { callModelOperator } from "../models/call-model.js";
import { hasOperator, indexFromEndOperator, positionalIndexOperator, sizeOperator } from "./count.js";
import { fillOperator } from "./fill.js";
import { filterByChildOperator, filterBySiblingOperator } from "./filter.js";
import { mapPrensorOperator, partOfOperator } from "./map-prensor.js";
import { mapRaggedTensorsOperator, mapSparseTensorsOperator } from "./map-tensors.js";
import { mapFieldValuesOperator } from "./map-field-values.js";
import type { Operator } from "./operator.js";
import { promoteOperator } from "./promote.js";
import { protoIndexOperator, rerootOperator } from "./reroot.js";
import { sliceOperator } from "./slice.js";
import { descendOperator } from "./take.js";
import { transformOperator } from "./transform.js";

/**
 * The operators that compute values from other nodes, keyed by name. `root`, `field` and `payload` are not among them, because
 * they read from a source.
 */
export const operators: ReadonlyMap<string, Operator> = new Map(
  [
    broadcastOperator,
    callModelOperator,
    descendOperator,
    fillOperator,
    filterByChildOperator,
    filterBySiblingOperator,
    hasOperator,
    indexFromEndOperator,
    mapPrensorOperator,
    mapRaggedTensorsOperator,
    mapSparseTensorsOperator,
    mapFieldValuesOperator,
    partOfOperator,
    positionalIndexOperator,
    promoteOperator,
    protoIndexOperator,
    rerootOperator,
    sizeOperator,
    sliceOperator,
    transformOperator,
  ].map((operator) => [operator.op, operator]),
);
