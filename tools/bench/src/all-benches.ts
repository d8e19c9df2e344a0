import { beamBench } from "./beam/beam.js";
import { columnsBench } from "./columns/columns.js";
import { convertBench } from "./convert/convert.js";
import { crcBench } from "./crc/crc.js";
import { datasetBench } from "./dataset/dataset.js";
import { decodeBench } from "./decode/decode.js";
import { encodeBench } from "./encode/encode.js";
import { gzipBench } from "./gzip/gzip.js";
import { importBench } from "./import/import.js";
import type { Bench } from "./measurement.js";
import { memoryBench } from "./memory/memory.js";
import { arrowBench, csvBench, jsonlBench } from "./tables/tables.js";
import { protoBench } from "./proto/proto.js";
import { parquetBench } from "./parquet/parquet.js";
import { struct2tensorBench } from "./struct2tensor/struct2tensor.js";
import { threadsBench } from "./threads/threads.js";
import { webgpuBench } from "./webgpu/webgpu.js";

/** All benches, in the order in which `pnpm bench` runs them. */
export const allBenches: readonly Bench[] = [
  decodeBench,
  encodeBench,
  crcBench,
  gzipBench,
  protoBench,
  struct2tensorBench,
  convertBench,
  datasetBench,
  columnsBench,
  csvBench,
  jsonlBench,
  arrowBench,
  parquetBench,
  threadsBench,
  memoryBench,
  importBench,
  webgpuBench,
  beamBench,
];
