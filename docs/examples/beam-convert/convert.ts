// Converts files on a cluster, from TFRecord shards of tf.Examples to Parquet shards and a manifest. Each unit of work writes one
// shard.
//
//   convert.js                                          writes TFRecord files, and converts them on the direct runner
//   convert.js GLOB TARGET                              converts the given files to shards such as TARGET-00000-of-00004
//   convert.js GLOB TARGET JOB_SERVICE WORKER_POOL      does the same on a cluster. All workers must be able to open the files.
//     Start the worker pool with: tfxio-beam-pool --listen HOST:PORT
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { encodeExample } from "@tfxio/arrow-encoding";
import { directRunner, portableRunner, writeBeam } from "@tfxio/beam";
import { readManifest } from "@tfxio/beam/plan";
import { openTfxio } from "@tfxio/io";
import { writeTfRecords } from "@tfxio/wire";

async function convert(glob: string, target: string, jobEndpoint = "", workerPool = ""): Promise<void> {
  const tfxio = await openTfxio(glob, { inferSchema: "full" });
  const runner = jobEndpoint === "" ? directRunner() : portableRunner({ jobEndpoint, workerPool });
  await runner.run(async (root) => {
    await root.applyAsync(writeBeam(tfxio, target, { unitBytes: 256 * 1024 }));
  });
  await tfxio.close();

  // The manifest lists exactly the shards of this job. A glob would also match shards that an earlier, failed job left behind.
  const { shards, numRows } = await readManifest(`${target}.manifest.json`);
  const written = await openTfxio(
    shards.map(({ uri }) => uri),
    { inferSchema: "full" },
  );
  let [count, sum] = [0, 0];
  for await (const { id } of written.rows()) {
    count++;
    sum += Number((id as readonly unknown[])[0]);
  }
  await written.close();
  console.log(`shards ${shards.length}`);
  console.log(`manifest ${numRows} rows`);
  console.log(`read ${count} rows, ids add up to ${sum}`);
}

/** Writes 20,000 tf.Examples to two TFRecord files. */
async function writeFiles(directory: string): Promise<void> {
  const rows = Array.from({ length: 20_000 }, (_, id) =>
    encodeExample({
      id: { kind: "int64", values: [id] },
      name: { kind: "bytes", values: [`row ${id}`] },
      scores: { kind: "float", values: [id / 2, id / 4] },
    }),
  );
  await writeTfRecords(rows, path.join(directory, "rows.tfrecord"), { numShards: 2 });
}

const [glob, target, jobEndpoint, workerPool] = process.argv.slice(2);
if (glob !== undefined && target !== undefined) await convert(glob, target, jobEndpoint, workerPool);
else {
  const directory = await mkdtemp(path.join(tmpdir(), "beam-convert-"));
  await writeFiles(directory);
  await convert(path.join(directory, "rows.tfrecord-*"), path.join(directory, "rows.parquet"));
  await rm(directory, { recursive: true });
}
