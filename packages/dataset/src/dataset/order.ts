import type { ShuffleOptions } from "../dataset-options.js";
import type { Dataset } from "../dataset.js";
import { cacheInFolderPlan, snapshotFolder } from "../operators/order/cache-in-folder.js";
import { cachePlan } from "../operators/order/cache.js";
import { prefetchPlan } from "../operators/order/prefetch.js";
import { repeatPlan } from "../operators/order/repeat.js";
import { shardPlan } from "../operators/order/shard.js";
import { shufflePlan } from "../operators/order/shuffle.js";
import { skipPlan, takePlan } from "../operators/order/take-skip.js";
import { datasetOf, planIn } from "../plan-of.js";
import { shuffleAllPlan } from "../random-access/shuffle-all.js";
import { assertOnHost } from "./assert-on-host.js";
import { BatchingOperators } from "./batching.js";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aName,
  anInteger,
  aPositiveInteger,
  assertArgument,
  assertOptions,
} from "@tfxio/wire/checks";

/** A number of elements or passes; -1 for all there are. */
const aCount = anInteger(-1);

/** Operators on the order and the number of elements, which keep elements as they are. Part of {@link Dataset}. */
export abstract class OrderOperators<T> extends BatchingOperators<T> {
  /**
   * Elements in random order: drawn uniformly from a buffer of `bufferSize` elements that is refilled in order. With `"all"`,
   * a random order of all rows, read from a source with random access directly above it: `fromItems`, `fromRandomAccess`,
   * or an `ArrowDataset` of a table or list. It holds no buffer of rows, and a checkpoint goes on without reading again.
   * The order depends on seed, buffer size and the number of the pass only (xoshiro128**, stable across releases).
   * @throws {ArgumentError} `invalid-argument`; with reason `no-random-access` for `"all"` of rows that come in one order.
   */
  shuffle(bufferSize: number | "all", options: ShuffleOptions = {}): Dataset<T> {
    if (bufferSize !== "all") assertArgument("bufferSize", bufferSize, aPositiveInteger, "shuffle");
    assertOptions("shuffle", options, { seed: anInteger(0), reshuffleEachIteration: aBoolean });
    const { seed, reshuffleEachIteration = true } = options;
    if (bufferSize === "all")
      return datasetOf(shuffleAllPlan(planIn(this), { seed, reshuffleEachIteration }));
    return datasetOf(shufflePlan(planIn(this), { bufferSize, seed, reshuffleEachIteration }));
  }

  /**
   * `count` passes one after the other; -1 (the default) for no end. A pass without elements ends an endless repeat.
   * @throws {ArgumentError} `invalid-argument`
   */
  repeat(count: number = -1): Dataset<T> {
    assertArgument("count", count, aCount, "repeat");
    return datasetOf(repeatPlan(planIn(this), count));
  }

  /**
   * The first `count` elements; -1 for all. After a {@link shuffle} that reshuffles, as in the default dataset of a TFXIO,
   * each pass takes other elements. To hold out rows for validation, use `split` of the TFXIO.
   * @throws {ArgumentError} `invalid-argument`
   */
  take(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "take");
    return datasetOf(takePlan(planIn(this), count));
  }

  /**
   * All but the first `count` elements; -1 leaves none.
   * @throws {ArgumentError} `invalid-argument`; with reason `reshuffled` when each pass has another order, since the
   *   elements that {@link take} gave would come back: use `split` of the TFXIO, or `reshuffleEachIteration: false`.
   */
  skip(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "skip");
    if (planIn(this).reshuffles && count !== 0) {
      throw new ArgumentError(
        "invalid-argument",
        "skip: each pass of this dataset has another order, so skip would not leave out what take gave. To hold out " +
          "rows, use split of the TFXIO; to skip rows of a fixed order, shuffle with { reshuffleEachIteration: false }.",
        { reason: "reshuffled" },
      );
    }
    return datasetOf(skipPlan(planIn(this), count));
  }

  /**
   * Every `numShards`-th element, from position `index` on: shards of one dataset, made in several processes, hold each
   * element once, if its order is the same in all of them.
   * @throws {ArgumentError} `invalid-argument`, also when `index` is not below `numShards`.
   */
  shard(numShards: number, index: number): Dataset<T> {
    assertArgument("numShards", numShards, aPositiveInteger, "shard");
    assertArgument("index", index, anInteger(0, numShards - 1), "shard");
    return datasetOf(shardPlan(planIn(this), numShards, index));
  }

  /**
   * Reads ahead, from the first `next()` on: up to `count` elements, or as many blocks of rows in front of a batch.
   * @throws {ArgumentError} `invalid-argument`
   */
  prefetch(count: number): Dataset<T> {
    assertArgument("count", count, aPositiveInteger, "prefetch");
    return datasetOf(prefetchPlan(planIn(this), count));
  }

  /**
   * Keeps the elements of the first pass that is read to its end, in memory or in `folder`; later passes read those, with a
   * folder also those of later processes (Node only). Until then, passes read the source: one that is abandoned, or in
   * which an element fails, leaves nothing behind. With a folder, elements are rows of host columns, also in the first pass,
   * which reads up to 256 of them ahead: numbers are float32, bigints int64, and text is its bytes.
   * @throws {ArgumentError} `invalid-argument` when elements hold tensors, at the call or from the iterator; from the
   *   iterator with reason `other-plan` when another dataset has filled the folder.
   * @throws {RecordError} `corrupt-record` (`manifest`) from the iterator for a damaged folder; errors of its Arrow file.
   */
  cache(folder?: string): Dataset<T> {
    assertOnHost(planIn(this), "cache");
    if (folder === undefined) return datasetOf(cachePlan(planIn(this)));
    assertArgument("folder", folder, aName, "cache");
    return datasetOf(cacheInFolderPlan(planIn(this), folder));
  }

  /**
   * As {@link cache} with a folder, but each dataset has its own subfolder of `folder`. A dataset with other operators, settings
   * or files is stored next to it. Functions are not compared, so remove the folder when they change.
   * @throws as {@link cache}.
   */
  snapshot(folder: string): Dataset<T> {
    assertArgument("folder", folder, aName, "snapshot");
    assertOnHost(planIn(this), "snapshot");
    return datasetOf(cacheInFolderPlan(planIn(this), snapshotFolder(folder, planIn(this))));
  }
}
