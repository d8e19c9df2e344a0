import type { Tfxio } from "@tfxio/io";

/** One way to read every row of a file once. */
export interface DatasetSubject {
  readonly name: string;
  /** The call that the subject makes, for the printed table. */
  readonly about: string;
  /** Reads all rows and resolves to the number of rows. */
  pass(this: void, tfxio: Tfxio): Promise<number>;
}

const batchSize = 32;

/** All subjects. Each printed ratio is a subject's time divided by the time of `unshuffled`. */
export const datasetSubjects: readonly DatasetSubject[] = [
  {
    name: "unshuffled",
    about: "dataset({ shuffle: false })",
    pass: (tfxio) => countElements(tfxio.dataset({ batchSize, shuffle: false })),
  },
  { name: "default", about: "dataset()", pass: (tfxio) => countElements(tfxio.dataset()) },
  { name: "batches", about: "recordBatches()", pass: (tfxio) => countRows(tfxio.recordBatches()) },
  {
    name: "batches:shuffled",
    about: "recordBatches({ shuffle: true, batchSize: 32 })",
    pass: (tfxio) => countRows(tfxio.recordBatches({ shuffle: true, shuffleSeed: 1, batchSize })),
  },
];

async function countElements(elements: AsyncIterable<unknown>): Promise<number> {
  let numRows = 0;
  for await (const element of elements) numRows += rowsOf(element);
  return numRows;
}

async function countRows(batches: AsyncIterable<{ readonly numRows: number }>): Promise<number> {
  let numRows = 0;
  for await (const batch of batches) numRows += batch.numRows;
  return numRows;
}

/** Returns the number of rows in a batch of host columns, from the shape of its `label` column. */
function rowsOf(element: unknown): number {
  const { label } = element as { readonly label: { readonly shape: readonly number[] } };
  return label.shape[0] as number;
}
