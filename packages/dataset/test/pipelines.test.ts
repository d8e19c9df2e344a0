import { expect, test } from "@jest/globals";
import { type ColumnBlock, type Dataset, fromBlocks, fromItems } from "../src/index.js";
import { Random } from "@tfxio/wire";
import { dense } from "./host-columns.js";

type Row = { readonly x: number };

/** An operator and its effect on a list. Shuffle is omitted, since a list cannot predict the shuffled order. */
type Step = {
  readonly name: string;
  readonly apply: (dataset: Dataset<Row>) => Dataset<Row>;
  readonly model: (rows: readonly Row[]) => readonly Row[];
};

function randomStep(random: Random): Step {
  const n = random.below(12);
  switch (random.below(6)) {
    case 0:
      return { name: `take(${n})`, apply: (d) => d.take(n), model: (rows) => rows.slice(0, n) };
    case 1:
      return { name: `skip(${n})`, apply: (d) => d.skip(n), model: (rows) => rows.slice(n) };
    case 2: {
      const count = n % 3;
      const model = (rows: readonly Row[]): Row[] => Array.from({ length: count }, () => rows).flat();
      return { name: `repeat(${count})`, apply: (d) => d.repeat(count), model };
    }
    case 3:
      return {
        name: `filter(x % 3 != ${n % 3})`,
        apply: (d) => d.filter(({ x }) => x % 3 !== n % 3),
        model: (rows) => rows.filter(({ x }) => x % 3 !== n % 3),
      };
    case 4:
      return {
        name: `map(x + ${n})`,
        apply: (d) => d.map(({ x }) => ({ x: x + n })),
        model: (rows) => rows.map(({ x }) => ({ x: x + n })),
      };
    default:
      return { name: `prefetch(${n + 1})`, apply: (d) => d.prefetch(n + 1), model: (rows) => rows };
  }
}

function* blocksOf(rows: readonly Row[], random: Random): Generator<ColumnBlock> {
  for (let start = 0; start < rows.length; ) {
    const part = rows.slice(start, start + random.below(6));
    const values = Float32Array.from(part, ({ x }) => x);
    yield { numRows: part.length, columns: { x: dense(values, [part.length]) } };
    start += part.length;
  }
}

test("300 random pipelines of items or columns, batched or not, yield the rows of a list-based model", async () => {
  const random = Random.of(2024, 0);
  for (let run = 0; run < 300; run++) {
    const source = Array.from({ length: random.below(25) }, (_, x): Row => ({ x }));
    const steps = Array.from({ length: random.below(5) }, () => randomStep(random));
    const batchSize = random.below(7) + 1;
    const expected = steps.reduce((rows, step) => step.model(rows), source as readonly Row[]);
    const what = `${source.length} rows, ${steps.map(({ name }) => name).join(", ")}, batch(${batchSize})`;
    const datasets: Dataset<Row>[] = [
      fromItems(source),
      fromBlocks(() => blocksOf(source, Random.of(run, 1)), { cardinality: source.length }) as Dataset<Row>,
    ];
    for (const dataset of datasets) {
      const piped = steps.reduce((d, step) => step.apply(d), dataset);
      expect({ what, rows: await piped.toArray() }).toEqual({ what, rows: expected });
      const known = piped.cardinality();
      if (known !== "unknown") expect({ what, known }).toEqual({ what, known: expected.length });
      const batches = await piped.batch(batchSize).toArray();
      const joined = batches.flatMap(({ x }) => [...(x.values as Float32Array)]);
      expect({ what, joined }).toEqual({ what, joined: expected.map(({ x }) => x) });
      expect({ what, sizes: batches.slice(0, -1).every(({ x }) => x.shape[0] === batchSize) }).toEqual({
        what,
        sizes: true,
      });
      const drawn = await piped.shuffle(batchSize, { seed: run }).toArray();
      const sorted = (rows: readonly Row[]): number[] => rows.map(({ x }) => x).sort((a, b) => a - b);
      expect({ what, drawn: sorted(drawn) }).toEqual({ what, drawn: sorted(expected) });
    }
  }
});
