import type { Counter } from "apache-beam/transforms/pardo";
import type { ReadDescription } from "@tfxio/io";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { publishManifest } from "../plan/manifest.js";
import type { Unit } from "../plan/unit.js";
import { type WrittenShard, writeUnit } from "../plan/write-unit.js";
import { packJson, unpackJson } from "./packed-json.js";

/** Metrics of a write. */
export interface WriteMetrics {
  /** Number of rows written. */
  readonly rows: Counter;
  /** Number of shards written. */
  readonly shards: Counter;
}

/** Target and format of the shards, as JSON. */
export interface ShardSettings {
  readonly target: string;
  readonly format?: string | undefined;
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** The description of the read, and the target and format of the shards. */
interface ShardWrite {
  readonly description: ReadDescription;
  readonly settings: ShardSettings;
}

/**
 * Writes units as shards, and yields each {@link WrittenShard} as JSON, all under one key. This class is serialized like
 * `ReadUnits`.
 */
export class WriteUnits implements AsyncDoFn<string, ShardEntry, WriteMetrics> {
  readonly packed: string;

  private constructor(packed: string) {
    this.packed = packed;
  }

  static async of(description: ReadDescription, settings: ShardSettings): Promise<WriteUnits> {
    return new WriteUnits(await packJson({ description, settings }));
  }

  async *processAsync(unit: string, metrics: WriteMetrics): AsyncGenerator<ShardEntry, void, undefined> {
    const { description, settings } = await unpackJson<ShardWrite>(this, this.packed);
    const { target, ...options } = settings;
    const shard = await writeUnit({ description }, JSON.parse(unit) as Unit, target, options);
    metrics.rows.increment(shard.numRows);
    metrics.shards.increment();
    yield { key: "shards", value: JSON.stringify(shard) };
  }
}

/** A shard as JSON. All shards have the same key, so that they form one group. */
export interface ShardEntry {
  readonly key: string;
  readonly value: string;
}

/** The shards as one group. If a plan has no units, the element from `impulse`, without a `value`, stands for the empty group. */
interface ShardGroup {
  readonly value?: Iterable<string>;
}

/** Receives the shards as one group, and publishes their manifest. Yields the manifest as JSON. */
export class PublishShards implements AsyncDoFn<ShardGroup, string> {
  readonly uri: string;
  readonly numUnits: number;

  constructor(uri: string, numUnits: number) {
    this.uri = uri;
    this.numUnits = numUnits;
  }

  async *processAsync({ value = [] }: ShardGroup): AsyncGenerator<string, void, undefined> {
    const shards = Array.from(value, (shard) => JSON.parse(shard) as WrittenShard);
    yield JSON.stringify(await publishManifest(this.uri, shards, this.numUnits));
  }
}
