import { expect, test } from "@jest/globals";
import { createExampleDecoder } from "@tfxio/arrow-encoding";
import { type DatasetState, fromRandomAccess } from "@tfxio/dataset";
import { indexTfRecords, readTfRecordsAt } from "@tfxio/formats-tfrecord";
import { bytesSource } from "@tfxio/wire";
import { openTfxio } from "../src/index.js";
import { examples, range, SCHEMA, tfRecordFile } from "./fixtures.js";

const NUM_ROWS = 500;

test("fromRandomAccess shuffles all records of an indexed TFRecord file, and resumes in the middle", async () => {
  const bytes = tfRecordFile(examples(0, NUM_ROWS));
  const source = bytesSource(bytes);
  const index = await indexTfRecords(source);
  const decoder = createExampleDecoder({ schema: SCHEMA });
  const tfxio = await openTfxio(bytes, { schema: SCHEMA });
  const adapter = tfxio.tensorAdapter();
  let numRead = 0;
  const open = () =>
    fromRandomAccess(
      {
        numRows: index.numRecords,
        read: async (positions, { signal }) => {
          numRead += positions.length;
          return decoder.decode(await readTfRecordsAt(source, index, [...positions], { signal }));
        },
      },
      {
        arrowSchema: decoder.arrowSchema(),
        toHost: (batch) => adapter.toHost(batch),
        independentRows: true,
        rowsPerRead: 10,
      },
    )
      .shuffle("all", { seed: 1 })
      .batch(10);
  const idsOf = (batches: readonly unknown[]): number[] =>
    batches.flatMap((batch) => [...(batch as { id: { values: BigInt64Array } }).id.values].map(Number));

  const whole = idsOf(await open().toArray());
  expect(whole).not.toEqual(range(0, NUM_ROWS));
  expect(whole.toSorted((a, b) => a - b)).toEqual(range(0, NUM_ROWS));

  const iterator = await open().iterator();
  for (let k = 0; k < 30; k++) await iterator.next();
  const state = JSON.parse(JSON.stringify(iterator.state())) as DatasetState;
  await iterator.close();
  numRead = 0;
  const rest = await (await open().iterator({ state })).toArray();
  expect(idsOf(rest)).toEqual(whole.slice(300));
  expect(numRead).toBe(200);
  await tfxio.close();
});
