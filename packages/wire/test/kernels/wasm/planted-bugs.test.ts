import { afterAll, describe, expect, test } from "@jest/globals";
import { wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { CANARIES, CheckedPool } from "./checked-pool.js";
import { compareDecoders } from "./compare-decoders.js";
import { compileSources, kernelSources } from "./compile-sources.js";
import { Draw } from "./draw.js";
import { bugs, headBugs, overruns, type PlantedBug, sequenceBugs } from "./planted-bugs.js";

/** Maximum number of records in a search. With unchanged kernels, `pnpm check` compares 100,000 records. */
const MOST_RECORDS = 50_000;

/** `pnpm check` runs these tests with `TFXIO_PLANTED_BUGS=1`. */
const describeSlow = process.env["TFXIO_PLANTED_BUGS"] === undefined ? describe.skip : describe;

function sourcesWith({ file, right, wrong }: PlantedBug): Map<string, string> {
  const sources = kernelSources();
  const text = sources.get(file) ?? "";
  expect(text.split(right)).toHaveLength(2);
  return sources.set(file, text.replace(right, wrong));
}

/** Searches for a difference. Returns it as `finding`, with the number of records compared. A trap counts as a finding. */
function search(
  pool: CheckedPool,
  seed = 1,
  mostRecords = MOST_RECORDS,
): { finding: string | undefined; numRecords: number | null } {
  try {
    const { difference, numRecords } = compareDecoders(wasmKernelsOf(pool), new Draw(seed), mostRecords);
    return { finding: difference?.about, numRecords };
  } catch (error) {
    return { finding: String(error), numRecords: null };
  }
}

describeSlow("the differential test", () => {
  const lines: string[] = [];
  const note = (bug: PlantedBug, { finding, numRecords }: ReturnType<typeof search>): void => {
    const found = finding ?? "nothing";
    lines.push(`${bug.file}: ${bug.about}: ${found} after ${numRecords ?? "some"} records`);
  };
  afterAll(() => console.log(lines.join("\n")));

  test("finds neither a difference nor an overwritten canary in kernels without a planted bug", async () => {
    const pool = new CheckedPool(await compileSources(kernelSources(), CANARIES), 4096);
    expect(search(pool, 1, 5000).finding).toBeUndefined();
    expect(pool.numDamaged).toBe(0);
  }, 600_000);

  test.each([...bugs, ...headBugs, ...sequenceBugs])(
    "finds that $about",
    async (bug) => {
      const kernels = await compileSources(sourcesWith(bug));
      let found: ReturnType<typeof search> = { finding: undefined, numRecords: 0 };
      // One bug shows in about one record of 30,000, so a single search may miss it.
      for (let seed = 1; seed <= 3 && found.finding === undefined; seed++) {
        found = search(new CheckedPool(kernels, 4096), seed);
        note(bug, found);
      }
      expect(found.finding).toEqual(expect.any(String));
    },
    600_000,
  );

  test.each(overruns)(
    "finds overwritten canaries if $about",
    async (bug) => {
      const pool = new CheckedPool(await compileSources(sourcesWith(bug), CANARIES), 4096);
      // A search ends at the first difference, which may come before a canary is overwritten.
      for (let seed = 1; seed < 10 && pool.numDamaged === 0; seed++) note(bug, search(pool, seed));
      expect(pool.numDamaged).toBeGreaterThan(0);
    },
    600_000,
  );
});
