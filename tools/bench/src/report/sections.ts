/** Text and layout of the page's section on one bench. */
export interface Section {
  readonly bench: string;
  /** Facts that a reader needs to judge the numbers. */
  readonly words: string;
  /** Our subject to compare with peers: the first of these that was measured. Empty to compare nothing. */
  readonly headline: readonly string[];
  /** Peers that read files while the headline reads bytes in memory, and our file-reading subject to compare them with. */
  readonly fromFile?: { readonly headline: string; readonly others: readonly string[] };
  /** Subjects that show an upper limit. They do not count as faster peers. */
  readonly bounds?: readonly string[];
}

/** Sections in the order of the page. Benches without one follow them, without text. */
export const sections: readonly Section[] = [
  {
    bench: "decode",
    words:
      "TFRecords of tf.Examples (`seq`: tf.SequenceExamples) to Arrow record batches of 4096 rows, on one thread; MB/s of the uncompressed file, " +
      "framing included. `wide_tail` is `wide` in alternating batches of 4096 and 1772 rows. Ours, `tensorflow`, " +
      "`tfx_bsl:file` and `tfrecord` check every CRC; the npm protobuf peers check none. `tfx_bsl` receives lists of " +
      "records, as its API expects, so it has neither framing nor CRCs to read; `tfx_bsl:file` is " +
      "`TFExampleRecord.RecordBatches`, and for `seq` the same steps by hand. `tfrecord` stops at objects and creates no " +
      "columns. `ours:file` is `openTfxio`, whose batches end at 32 MiB; all our other decoders read bytes in " +
      "memory. `faults` counts the page faults of a pass; reused memory causes none.",
    headline: ["ours:wasm", "ours:typescript"],
    fromFile: {
      headline: "ours:file",
      others: ["ours:file-leased", "tfx_bsl:file", "tensorflow", "tensorflow:fixed"],
    },
  },
  {
    bench: "encode",
    words:
      "Record batches of 4096 rows to serialized tf.Examples, on one thread; MB/s of the records as we write them. " +
      "`protobufjs` and `protobuf-es` encode objects built from the columns' typed arrays, which is timed too; " +
      "`tensorflow` is Python that builds `tf.train.Example`s from lists, as most programs do; `tfx_bsl` runs its " +
      "`RecordBatchToExamplesEncoder` on its own batches.",
    headline: ["ours"],
  },
  {
    bench: "crc",
    words: "CRC-32C of one payload, repeated and therefore in cache.",
    headline: ["ours:wasm", "ours:typescript"],
  },
  {
    bench: "gzip",
    words:
      "MB/s of inflated bytes. `ours:batches` inflates, checks and decodes to record batches; all others inflate only.",
    headline: ["ours:inflate"],
  },
  {
    bench: "proto",
    words:
      "Serialized messages in memory to nested record batches of 4096 rows, on one thread; MB/s of the messages. " +
      "`flat_all_types` has fifteen repeated fields of one value, as in struct2tensor's own benchmark; `nested` has five " +
      "levels of repeated messages. `ours` reads a size-delimited file, so it also finds the records; all others receive them " +
      "one by one. `protobuf-es` and `protobufjs` create objects, and arrow-js builders turn them into columns. `tensorflow` " +
      "is `tf.io.decode_proto`, level by level, whose tensors are padded; `struct2tensor` projects to every leaf; " +
      "`python-protobuf` makes objects and no columns.",
    headline: ["ours"],
  },
  {
    bench: "struct2tensor",
    words:
      "Queries over serialized messages in memory, in batches of 2048; records per second of processor time, of all threads. " +
      "The first sets have the shapes of struct2tensor's own benchmark: messages of five levels, and flat ones. `event_log_5`, " +
      "`_20` and `_100` select that share of the 40 leaves of a log of five levels. `struct2tensor` is a compiled `tf.function` " +
      "on one thread; ours plans once.",
    headline: ["ours"],
  },
  {
    bench: "convert",
    words:
      "List columns of a batch of 4096 rows to tensors in typed arrays, to other rows (`take`) or to protobuf's packed " +
      "varints. `dense` and `ragged` move no value, which the bench proves by the buffer's identity. `ours` is the function that " +
      "users call: it checks every row and allocates its result. `pyarrow` (with numpy) checks none; both peers allocate " +
      "their results. `ours:into` is the WebAssembly kernel alone and `ours:into-typescript` the TypeScript one, both into reused memory. " +
      "`memcpy` also reuses memory; it copies as many bytes as the result has, so it shows the upper limit.",
    headline: ["ours"],
    bounds: ["memcpy"],
  },
  {
    bench: "dataset",
    words:
      "A full pass over a TFRecord file of 64 MB as host columns, without TensorFlow.js, in batches of 32 rows: processor " +
      "time of all threads. `unshuffled` and `default` go through `dataset()`, the other two through `recordBatches()`. " +
      "The other sets are rows per second of processor time, on one thread, from 400,000 rows of four float32 and an " +
      "int32, or from the TFRecord file, to batches of 256 rows as tensors: `shuffle` and `tfrecord` with a buffer of " +
      "10,000 rows, `map` with a function per row. `ours` and the peers in Python read Arrow memory, `ours:items` and " +
      "`tfjs-data` JavaScript objects; `grain` shuffles all rows of a table, which it does faster than through a buffer. " +
      "`tfjs-data` and `grain` read 50,000 rows of a table.",
    headline: [],
  },
  {
    bench: "columns",
    words:
      "Two tf.Examples of 5,000 and of 50,000 integer features, from their file to tensors: µs of each step per column. " +
      "A step whose cost grows with the number of columns is worse than linear. `adapter` opens the file as well.",
    headline: [],
  },
  {
    bench: "csv",
    words:
      "CSV of eight columns (three integers, three floats, two of text with one row in twenty quoted) to " +
      "columns, on one thread; MB/s of the file. `flat`: the types are given. `inferred`: each subject infers them. " +
      "Ours streams record batches; `pyarrow`, `duckdb` and `polars` build a table in memory. The npm packages parse " +
      "16 MB to arrays, which go into typed arrays, or into arrow-js builders; both are timed.",
    headline: ["ours"],
  },
  {
    bench: "jsonl",
    words:
      "The same rows as JSON objects, one on each line; MB/s of the file. `JSON.parse` is called for each line of 16 MB, " +
      "and the values go into typed arrays, or into arrow-js builders.",
    headline: ["ours"],
  },
  {
    bench: "arrow",
    words:
      "The same rows in an Arrow file, read into memory except for `pyarrow:mmap`; all integers of one column are read " +
      "afterwards, since most readers only point into the file. MB/s of the file. The npm packages have no codecs for " +
      "`lz4` and `zstd`. Ours checks every offset of the file before it hands out a batch; the others trust it.",
    headline: ["ours"],
    bounds: ["pyarrow:mmap"],
  },
  {
    bench: "parquet",
    words:
      "Snappy files in row groups of 250,000 rows, in the page cache, on one thread. `flat` has 2.5 million rows of eight columns (three integers, " +
      "two floats, bools, text and timestamps), and `flat:1of8` reads one of them; `list` has a million rows with two columns of " +
      "lists. `ours` yields record batches of 65,536 rows and `ours:4096` of 4,096, one by one; `parquet-wasm`, `pyarrow` and " +
      "`duckdb` build a table in memory, and `parquet-wasm` cannot select columns here. `hyparquet` makes JavaScript arrays.",
    headline: ["ours"],
  },
  {
    bench: "threads",
    words:
      "Four files to record batches on the calling thread, decoded there or by worker threads that transfer buffers; " +
      "`leased`: worker threads lend batches from the kernels' memory, which the threads share.",
    headline: [],
  },
  {
    bench: "memory",
    words:
      "Peak resident memory of a separate process: `baseline` reads nothing, `peak` streams the file, " +
      "`peak-leased` in leased batches; `batch` is the largest batch.",
    headline: [],
  },
  {
    bench: "import",
    words:
      "Separate processes, from start to exit: `node` imports nothing, the others one module. `cpu` is processor time " +
      "of all threads; `rss` and `heap` are resident memory and used heap at the end.",
    headline: [],
  },
  {
    bench: "beam",
    words:
      "`plan`: 2,000 simulated files are cut into 100,000 units for 1,000 workers; time and peak memory of the process. `workers`: " +
      "tf.Examples decoded by one and by two worker processes on this machine of two cores. `small` and `large`: records of 200 " +
      "bytes and of 2 MB, grouped by key by a pipeline in JavaScript on its own direct runner, on Beam for Python and on prism; " +
      "`runner-cpu` is the processor time of the runner's own process.",
    headline: [],
  },
  {
    bench: "webgpu",
    words:
      "Time from a batch until its tensors are on the device and an operation has read the last value. They are laid out " +
      "there from packed values and row splits (`device`), or on the host and then uploaded (`host`). MB/s of the tensors.",
    headline: ["device"],
  },
];

/** The section on a bench; one without text for an unknown bench. */
export function sectionOf(bench: string): Section {
  return sections.find((section) => section.bench === bench) ?? { bench, words: "", headline: [] };
}
