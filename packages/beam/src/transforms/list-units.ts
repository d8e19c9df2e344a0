import type { PCollection, Root } from "apache-beam/pvalue";
import type { AsyncPTransform } from "apache-beam/transforms/transform";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import type { Sdk } from "../compat/sdk.js";
import type { Unit } from "../plan/unit.js";
import { packJson, unpackJson } from "./packed-json.js";

/** For each element that it receives, yields every unit of a plan as JSON. This class is serialized like `ReadUnits`. */
export class ListUnits implements AsyncDoFn<unknown, string> {
  readonly units: string;

  /** @param units The units, packed by `packJson`. */
  constructor(units: string) {
    this.units = units;
  }

  async *processAsync(): AsyncGenerator<string, void, undefined> {
    for (const unit of await unpackJson<Unit[]>(this, this.units)) yield JSON.stringify(unit);
  }
}

/**
 * Creates a transform that yields each unit as JSON, and lets the runner spread the units over its workers. The SDK's `Create`
 * would put uncompressed units into the pipeline. The units have the earliest possible timestamp, so that a later function can
 * assign any timestamp to the rows. A row with an earlier timestamp than its unit would be late, and a runner may drop it.
 */
export function listUnits(sdk: Sdk, units: readonly Unit[]): AsyncPTransform<Root, PCollection<string>> {
  const { impulse, parDo, withName } = sdk.transforms;
  const text = new sdk.coders.StrUtf8Coder();
  return withName("Units", async (root: Root) => {
    const listed = root
      .apply(impulse())
      .apply(withName("List", parDo(new ListUnits(await packJson(units)) as never)))
      .apply(withName("Text", sdk.internal.withCoderInternal(text))) as PCollection<string>;
    return units.length > 1 ? spread(sdk, listed) : listed;
  });
}

/**
 * Spreads units over the workers by grouping them. By default, the timestamp of a group is the end of its window, and the global
 * window ends at the end of time. The strategy `earliest` instead gives each group the earliest timestamp of its elements.
 */
function spread(
  { runnerApi, transforms, transformUtilities }: Sdk,
  units: PCollection<string>,
): PCollection<string> {
  const { createWindowingStrategyProto, globalWindows, windowInto, withName } = transforms;
  const earliest = createWindowingStrategyProto(units.pipeline, globalWindows());
  earliest.outputTime = runnerApi.OutputTime_Enum.EARLIEST_IN_PANE;
  return units
    .apply(withName("Earliest", windowInto(globalWindows(), earliest)))
    .apply(withName("Spread", transformUtilities.reshuffle()))
    .apply(withName("Usual", windowInto(globalWindows()))) as PCollection<string>;
}
