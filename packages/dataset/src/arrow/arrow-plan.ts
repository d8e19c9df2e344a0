import { nodeOn } from "../checkpoint/plan-node.js";
import type { HostColumn, HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { type Data, type Field, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { type BatchConversion, rowsOfBatch } from "../blocks/batch-rows.js";
import { type Block, blockOfItems } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import { tuple } from "../columns/structure.js";
import { batchPlan } from "../operators/batching/batch.js";
import { rebatchPlan } from "../operators/batching/record-batches.js";
import { transformPlan } from "../operators/elements/map.js";
import type { BlockStream, Pass, Plan, PlanNode, RowAccess } from "../plan.js";
import { batchesInOrder, totalRowsOf } from "../random-access/batches-in-order.js";
import { FactoryItems, type Items } from "../sources/factory-items.js";
import { Failure } from "../failure.js";
import { assertFill } from "./fill-values.js";
import { hostColumnOf, MASK_SUFFIX } from "./host-columns.js";
import { listColumn } from "./list-columns.js";
import type { ArrowDatasetOptions, ElementForm } from "./options.js";
import { type SelectedColumn, selectColumns } from "./selected-columns.js";

/** Opens the record batches of one pass. Called at the first read of the pass. */
export type ArrowBatches = (options: { readonly signal: AbortSignal }) => Items<RecordBatch>;

/** Facts about the record batches that are known before reading. */
export interface BatchOrigin {
  /** Names of the files. A checkpoint is valid only for a dataset of files with the same names. */
  readonly names?: readonly string[] | undefined;
  /** All batches, if they are in memory, for random access to their rows. */
  readonly listed?: readonly RecordBatch[] | undefined;
}

/**
 * Returns the plan of an Arrow dataset.
 * @param owner Public function or class, for error messages.
 * @throws If `options` has an `arrowSchema`: the errors of {@link selectColumns} and {@link assertFill}, and `invalid-argument`
 *   for component names that must be unique but are not.
 */
export function arrowPlan(
  batches: ArrowBatches,
  owner: string,
  options: ArrowDatasetOptions,
  origin: BatchOrigin = {},
): Plan {
  const { batchSize, batchMode = "keep_remainder", as = "tuple" } = options;
  const give = batchMode === "auto" ? "batches" : "rows";
  const form = new ElementForms(options, owner);
  const rows = rowsPlan(batches, form, give, {
    name: owner,
    settings: [give, describeOptions(options), ...(origin.names ?? [])],
    inputs: [],
    listed: origin.listed,
  });
  if (isArrowForm(as)) {
    const wholes =
      batchMode === "auto" ? rows : rebatchPlan(rows, batchSize ?? 1, batchMode === "drop_remainder");
    if (as !== "columns") return wholes;
    return transformPlan(wholes, nodeOn(wholes, "columns"), (batch) => vectorsOf(batch as RecordBatch));
  }
  if (batchMode === "auto") return rows;
  if (batchSize === undefined) return elementsPlan(rows, (row) => form.named(row as HostColumns));
  const batched = batchPlan(rows, batchSize, batchMode === "drop_remainder");
  return transformPlan(batched, nodeOn(batched, "elements"), (batch) => form.batch(batch as HostColumns));
}

/**
 * Returns the options that determine the elements, as JSON. Checkpoints compare this text. It omits the batch size, which is in
 * the description of the batching operator.
 */
function describeOptions({ columns, as, nulls, lists }: ArrowDatasetOptions): string {
  return JSON.stringify({ columns, as, nulls, lists }, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}

/** Returns true if elements keep their values in Arrow form. */
function isArrowForm(as: ElementForm | undefined): boolean {
  return as === "recordBatch" || as === "columns";
}

function vectorsOf(batch: RecordBatch): Record<string, unknown> {
  return Object.fromEntries(batch.schema.names.map((name, at) => [name, batch.getChildAt(at)]));
}

/** Returns a plan whose elements are the rows of record batches. With `give: "batches"`, each batch is one element. */
function rowsPlan(
  batches: ArrowBatches,
  form: ElementForms,
  give: "rows" | "batches",
  { listed, ...node }: PlanNode & Pick<BatchOrigin, "listed">,
): Plan {
  const open = (some: ArrowBatches, pass: Pass): BlockStream =>
    new ArrowStream(some, node.name, form, give, pass);
  return {
    node: { ...node, rowAccess: give === "rows" ? accessTo(listed, open) : undefined },
    cardinality: () => "unknown",
    tf: undefined,
    reshuffles: false,
    moved: undefined,
    open: (pass) => open(batches, pass),
  };
}

/** Returns random access to the rows of batches in memory. Undefined if the batches are not in memory. */
function accessTo(
  listed: readonly RecordBatch[] | undefined,
  open: (batches: ArrowBatches, pass: Pass) => BlockStream,
): RowAccess | undefined {
  if (listed === undefined) return undefined;
  const [first] = listed;
  return {
    numRows: totalRowsOf(listed),
    open: (order, start, pass) =>
      open(() => (first === undefined ? [] : batchesInOrder(listed, first.schema, order, start)), pass),
  };
}

/** Returns a plan that maps rows to elements and keeps the random access of `rows`. */
function elementsPlan(rows: Plan, toElement: (row: unknown) => unknown): Plan {
  const elements = transformPlan(rows, nodeOn(rows, "elements"), toElement);
  const { rowAccess } = rows.node;
  if (rowAccess === undefined) return elements;
  const open: RowAccess["open"] = (order, first, pass) => {
    const inOrder = { ...rows, open: (own: Pass) => rowAccess.open(order, first, own) };
    return transformPlan(inOrder, elements.node, toElement).open(pass);
  };
  return { ...elements, node: { ...elements.node, rowAccess: { ...rowAccess, open } } };
}

class ArrowStream implements BlockStream {
  readonly #items: FactoryItems<RecordBatch>;
  readonly #pass: Pass;
  readonly #form: ElementForms;
  readonly #give: "rows" | "batches";
  readonly #ready: BlockQueue = new BlockQueue();

  constructor(
    batches: ArrowBatches,
    owner: string,
    form: ElementForms,
    give: "rows" | "batches",
    pass: Pass,
  ) {
    const { signal } = pass;
    this.#items = new FactoryItems(() => batches({ signal }), owner, signal);
    this.#pass = pass;
    this.#form = form;
    this.#give = give;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const rows = this.#ready.read(maxRows);
      if (rows !== null) return rows;
      const next = await this.#items.next();
      if (next === null) return null;
      const [batch] = next;
      const conversion = this.#form.conversionOf(batch);
      if (batch.numRows === 0) continue;
      const selected = this.#form.selected(batch);
      if (this.#give === "rows") this.#ready.push(rowsOfBatch(selected, conversion));
      else return blockOfItems([this.#form.whole(selected)]);
    }
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    await this.#items.close();
  }
}

/** Builds elements from record batches, once their schema is known. */
class ElementForms {
  readonly #options: ArrowDatasetOptions;
  readonly #owner: string;
  /** Set by the constructor if the options have a schema, otherwise by the first batch. Later batches must match it. */
  #known: Known | undefined;

  constructor(options: ArrowDatasetOptions, owner: string) {
    this.#options = options;
    this.#owner = owner;
    const { arrowSchema } = options;
    if (arrowSchema !== undefined) this.#known = knownOf(arrowSchema, options, owner);
  }

  /**
   * Checks the schema of a batch and returns its conversion to host columns.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) if a selected column differs in name or type from `arrowSchema`
   *   or the first batch.
   */
  conversionOf(batch: RecordBatch): BatchConversion {
    this.#known ??= knownOf(batch.schema, this.#options, this.#owner);
    const { lastSchema, arrowSchema, columns } = this.#known;
    if (batch.schema !== lastSchema) {
      const found = selectedSchema(batch.schema, columns);
      if (String(found) !== String(arrowSchema)) {
        throw new SchemaError(
          "schema-mismatch",
          `A record batch must have columns ${String(arrowSchema)}, as in arrowSchema or the first batch, found ${String(found)}.`,
          { reason: "type-mismatch", expected: String(arrowSchema), actual: String(found) },
        );
      }
      this.#known.lastSchema = batch.schema;
    }
    return this.#known.conversion;
  }

  /** Returns a batch of the selected columns only. Borrows their buffers. */
  selected(batch: RecordBatch): RecordBatch {
    const { arrowSchema, columns } = this.#known as Known;
    const children = columns.map(({ index }) => batch.data.children[index] as Data);
    return recordBatchOf(arrowSchema, batch.numRows, children);
  }

  /** Converts a whole record batch to one element. Returns a `Failure` if it cannot be converted. */
  whole(batch: RecordBatch): unknown {
    if (isArrowForm(this.#options.as)) return batch;
    try {
      return this.batch((this.#known as Known).conversion.toHost(batch));
    } catch (error) {
      return new Failure(error);
    }
  }

  /**
   * Converts batched rows to an element in the requested form.
   * @throws The errors of {@link listColumn}.
   */
  batch(batch: HostColumns): unknown {
    const { keys } = this.#known as Known;
    const { lists = "error" } = this.#options;
    return this.named(
      Object.fromEntries(
        keys.map(({ key, name }) => [key, listColumn(batch[key] as HostColumn, name, lists)]),
      ),
    );
  }

  /** Returns components as a dict by name for `as: "dict"`, otherwise as a tuple in column order. */
  named(byKey: Readonly<Record<string, unknown>>): unknown {
    const { keys } = this.#known as Known;
    if (this.#options.as === "dict") {
      return Object.fromEntries(keys.map(({ key, name }) => [name, byKey[key]]));
    }
    return tuple(...keys.map(({ key }) => byKey[key]));
  }
}

interface Known {
  readonly columns: readonly SelectedColumn[];
  /** Schema of the selected columns only, in their order. */
  readonly arrowSchema: ArrowSchema;
  readonly conversion: BatchConversion;
  /** Components in order, each mask after its column. Keys are positions, because a column may be selected twice. */
  readonly keys: readonly { readonly key: string; readonly name: string }[];
  lastSchema: ArrowSchema | undefined;
}

function knownOf(schema: ArrowSchema, options: ArrowDatasetOptions, owner: string): Known {
  const columns = selectColumns(schema, options);
  const { nulls = "error" } = options;
  assertFill(nulls, columns);
  const arrowSchema = selectedSchema(schema, columns);
  const keys = columns.flatMap(({ name }, position) => {
    const key = keyOf(position);
    const column = { key, name };
    return nulls === "mask" ? [column, { key: key + MASK_SUFFIX, name: name + MASK_SUFFIX }] : [column];
  });
  if (options.as === "dict" || options.as === "columns") rejectRepeated(keys.map(({ name }) => name));
  const own = columns.map((column, index) => ({ ...column, index }));
  const toHost = (batch: RecordBatch): HostColumns => {
    const found: Record<string, HostColumn> = {};
    own.forEach((column, position) => {
      const key = keyOf(position);
      const { values, mask } = hostColumnOf(batch, column, nulls);
      found[key] = values;
      if (mask !== undefined) found[key + MASK_SUFFIX] = mask;
    });
    return found;
  };
  const conversion = { operator: owner, arrowSchema, toHost };
  return { columns, arrowSchema, keys, conversion, lastSchema: schema };
}

/** Returns the key of a component. It is padded with zeros, because JavaScript objects list integer keys before all others. */
function keyOf(position: number): string {
  return `${position}`.padStart(8, "0");
}

function selectedSchema({ fields }: ArrowSchema, columns: readonly SelectedColumn[]): ArrowSchema {
  return new ArrowSchema(columns.flatMap(({ index }) => (fields[index] as Field | undefined) ?? []));
}

function rejectRepeated(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `columns: component names must be unique, found two called "${repeated}"; pass { as: "tuple" }, or select only one of them.`,
    { argument: "columns" },
  );
}
