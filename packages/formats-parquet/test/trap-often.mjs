// Tries 1500 times to read a file that makes the engine trap. Then reads an intact file. Prints the numbers of traps and rows.
import { readFileSync } from "node:fs";
import { parquet } from "@tfxio/formats-parquet";
import { bytesSource } from "@tfxio/wire";

/** @param {string} name */
const fixture = (name) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

/** @param {Uint8Array} bytes */
async function numRowsOf(bytes) {
  const reader = await parquet.open([bytesSource(bytes)]);
  const plan = await reader.plan();
  let numRows = 0;
  for (const split of plan.splits) for await (const batch of plan.read(split)) numRows += batch.numRows;
  return numRows;
}

const trapping = fixture("traps.parquet");
let numTraps = 0;
for (let trial = 0; trial < 1500; trial++) {
  try {
    await numRowsOf(trapping);
  } catch (error) {
    if (error?.code !== "corrupt-record" || error?.cause?.name !== "RuntimeError") throw error;
    numTraps++;
  }
}
console.log(JSON.stringify({ numTraps, numRows: await numRowsOf(fixture("rows.parquet")) }));
