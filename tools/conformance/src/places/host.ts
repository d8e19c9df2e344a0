import { canonicalTensor, hostColumnOf, plainTensor } from "../values/tensor.js";
import { assertOfSpec, type Place } from "./place.js";

/** Creates tensors as host columns, which keep every dtype. */
export const host: Place = {
  async read(adapter, batch) {
    const columns = Object.entries(adapter.toHost(batch));
    for (const [name, column] of columns) assertOfSpec(adapter, name, column);
    return Object.fromEntries(columns.map(([name, column]) => [name, plainTensor(column)]));
  },
  expected: canonicalTensor,
  async convert(converter, _specs, tensors) {
    const columns = Object.entries(tensors).map(([name, tensor]) => [name, hostColumnOf(tensor)]);
    return converter.convert(Object.fromEntries(columns));
  },
};
