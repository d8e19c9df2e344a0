/** The text of the page's section on one bench, and the comparisons that it shows. */
export interface Section {
  readonly bench: string;
  /** Markdown text with the facts that a reader needs to judge the numbers. */
  readonly words: string;
  /** Our subjects to compare with the peers. The first one that was measured is used. Empty for no comparison. */
  readonly headline: readonly string[];
  /** A separate comparison of subjects that read files: our subject is `headline`, and `others` are compared with it. */
  readonly fromFile?: { readonly headline: string; readonly others: readonly string[] };
  /** Subjects that show an upper limit. They are never listed as faster peers. */
  readonly bounds?: readonly string[];
}

/** All sections, in the order of the page. Benches without an entry come last, without text. */
export const sections: readonly Section[] = [
  {
    bench: "decode",
    words:
      "Decodes TFRecords of tf.Examples to Arrow record batches of 4096 rows on one thread. `seq` has tf.SequenceExamples " +
      "instead. The batches of `wide_tail` alternate between 4096 and 1772 rows. The unit is MB/s of the uncompressed file, " +
      "including the framing. `ours:file` and `ours:file-leased` run `openTfxio`, which ends a batch at 4096 rows or at " +
      "about 32 MiB, whichever comes first. Our other subjects read bytes in memory. With `-leased`, batches borrow the " +
      "decoder's memory ([leased batches](guides/leases.md)). All other batches own their memory (owned batches). [The " +
      "guide](guides/benchmarks.md#decode) describes all sets and subjects, and says which subjects check CRCs. The last " +
      "table, `faults`, shows the number of minor page faults in one pass over the set, for our subjects and for tfx_bsl.",
    headline: ["ours:wasm", "ours:typescript"],
    fromFile: {
      headline: "ours:file",
      others: ["ours:file-leased", "tfx_bsl:file", "tensorflow", "tensorflow:fixed"],
    },
  },
  {
    bench: "encode",
    words:
      "Encodes record batches of 4096 rows as serialized tf.Examples on one thread. The unit is MB/s. For every subject, the " +
      "bytes counted are those that `ours` writes. `protobufjs` and `protobuf-es` encode objects, and the time to build " +
      "these objects from the columns is included. `tensorflow` is a Python program that builds `tf.train.Example`s from " +
      "lists, as most programs do. `tfx_bsl` runs `RecordBatchToExamplesEncoder` on batches that tfx_bsl decoded.",
    headline: ["ours"],
  },
  {
    bench: "crc",
    words:
      "Computes the CRC-32C of one payload, which is hashed repeatedly and so stays in the cache. `byte-table` is the " +
      "textbook algorithm.",
    headline: ["ours:wasm", "ours:typescript"],
  },
  {
    bench: "gzip",
    words:
      "Reads gzip files of TFRecords. The unit is MB/s of inflated bytes. `ours:batches` inflates, checks the CRCs of the " +
      "records, and decodes the records to record batches. All others only inflate.",
    headline: ["ours:inflate"],
  },
  {
    bench: "proto",
    words:
      "Decodes serialized messages in memory to nested record batches of 4096 rows on one thread. The unit is MB/s of the " +
      "messages. `flat_all_types` has fifteen repeated fields with one value each, as in struct2tensor's own benchmark. " +
      "`nested` has messages that are nested five levels deep. `ours` reads the bytes of a size-delimited file, so it must " +
      "also find the records. All others, including `ours:records`, receive separate records. `protobuf-es:builders` and " +
      "`protobufjs:builders` create objects, and arrow-js builders turn them into columns. `tensorflow` calls " +
      "`tf.io.decode_proto` for each level, and gets padded tensors. `struct2tensor` projects every leaf. " +
      "`python-protobuf` creates objects but no columns.",
    headline: ["ours"],
  },
  {
    bench: "struct2tensor",
    words:
      "Runs queries over serialized messages in memory, in batches of 2048 messages. The unit is records per second of " +
      "processor time, summed over all threads. The messages of `event_log_5`, `event_log_20` and `event_log_100` have 40 " +
      "leaves on five levels of nesting. The queries select 5, 20 and 100 % of the leaves. The other sets are the queries " +
      "of struct2tensor's own benchmark, over flat messages and messages that are nested five levels deep. `struct2tensor` " +
      "is a compiled `tf.function` on one thread. Our subject creates its plan once, before the clock starts.",
    headline: ["ours"],
  },
  {
    bench: "convert",
    words:
      "Converts a list column of 4096 rows to the typed arrays of a tensor, to reordered rows (`take`) or to protobuf's " +
      "packed varints (`varint_encode`). `ours` is the function that users call. It checks every row. It allocates memory " +
      "for its result, except in `dense` and `ragged`, whose values it does not copy. `pyarrow` (with numpy) and " +
      "`tensorflow` check no rows. Like `ours`, they allocate memory for a result, unless it is a view of the column. " +
      "`ours:into` is the WebAssembly kernel alone, and `ours:into-typescript` the TypeScript kernel. Both write into reused " +
      "memory, and so does `memcpy`. `memcpy` copies a block that is as large as the result or, for `coo`, as large as the " +
      "indices alone. Its speed is an upper limit for conversions that copy. `recordbatch` is the time to create a " +
      "RecordBatch of 40 columns from finished buffers, divided by 40.",
    headline: ["ours"],
    bounds: ["memcpy"],
  },
  {
    bench: "dataset",
    words:
      "The processor time of all threads is counted. The set `criteo` has four subjects, each of which reads a whole " +
      "TFRecord file of 64 MB, without TensorFlow.js. The unit is ms. `unshuffled` and `default` call `dataset()`, which " +
      "yields host columns of 32 rows, and only `default` shuffles. `batches` calls `recordBatches()`. `batches:shuffled` " +
      "calls it with shuffling and a batch size of 32 rows. On all other sets, the subjects create tensors in batches of 256 " +
      "rows, and the unit is rows per second of processor time. `tfrecord` reads all 40 features of the `criteo` file, and " +
      "`tfrecord_numbers` reads only the 14 that hold numbers. Both shuffle in a buffer of 10,000 rows. `batch`, `shuffle` " +
      "and `map` read a table of 400,000 rows with four float32 columns and one int32 column, and `shuffle_quarter` reads a " +
      "quarter of its rows. `shuffle` and `shuffle_quarter` also shuffle in a buffer of 10,000 rows, and `map` calls a " +
      "function for each row. `ours` and the Python peers receive the table as Arrow data, while `ours:items` and " +
      "`tfjs-data` receive it as JavaScript objects. `grain` shuffles all rows of the table, because that is faster in grain " +
      "than shuffling in a buffer. `tfjs-data` and `grain` read at most 50,000 rows of the table.",
    headline: [],
  },
  {
    bench: "columns",
    words:
      "Measures, in µs per column, each step of a program that reads a file of two tf.Examples with 5,000 or 50,000 " +
      "integer features. If a step takes more µs per column for 50,000 features, its cost grows faster than the number of " +
      "columns. The time of `adapter` includes that of opening the file.",
    headline: [],
  },
  {
    bench: "csv",
    words:
      "Reads CSV of eight columns (three of integers, three of floats and two of text, with quotes in one row in twenty) on " +
      "one thread. The unit is MB/s of the file. For `flat`, the types are given. For `inferred`, each subject infers them. " +
      "`ours` streams record batches. `pyarrow`, `duckdb` and `polars` build a table in memory. The npm packages parse only " +
      "the first 16 MB, into JavaScript arrays. The values then go into typed arrays or, with `:builders`, into arrow-js " +
      "builders. Both steps are timed.",
    headline: ["ours"],
  },
  {
    bench: "jsonl",
    words:
      "Reads the rows of `csv` as JSON objects, one on each line. The unit is MB/s of the file. The subject `JSON.parse` " +
      "reads only the first 16 MB. It parses each line, and its values go into typed arrays, or with `:builders` into " +
      "arrow-js builders.",
    headline: ["ours"],
  },
  {
    bench: "arrow",
    words:
      "Reads the rows of `csv` from an Arrow file. In the sets `lz4` and `zstd`, the file is compressed. The unit is MB/s " +
      "of the file. `pyarrow:mmap` maps the file, and all other subjects read it into memory. Most readers of `flat` only " +
      "return views of its bytes, so every subject must also read all integers of one column. The npm packages have no " +
      "codecs for `lz4` and `zstd`. `ours` checks every offset of a batch before it returns the batch. The others do not.",
    headline: ["ours"],
  },
  {
    bench: "parquet",
    words:
      "Reads files from the page cache on one thread. The files have snappy compression and row groups of 250,000 rows. " +
      "`flat` has 2.5 million rows of eight columns (three of integers, two of floats, and one each of bools, text and " +
      "timestamps), and `flat:1of8` reads one of these columns. `list` has a million rows with two columns of lists and " +
      "one of integers. `ours` streams record batches of 65,536 rows, and `ours:4096` streams batches of 4,096 rows. " +
      "`parquet-wasm`, `pyarrow` and `duckdb` build a table in memory. `parquet-wasm` always reads all columns. " +
      "`hyparquet` creates JavaScript arrays.",
    headline: ["ours"],
  },
  {
    bench: "threads",
    words:
      "Reads four TFRecord files (64 MB in total) into record batches. The files are decoded on the calling thread, or by " +
      "worker threads, which transfer the buffers. With `-leased`, the batches are views of the kernels' memory, which " +
      "worker threads share with the calling thread.",
    headline: [],
  },
  {
    bench: "memory",
    words:
      "Measures the peak resident memory of a separate process. `baseline` reads nothing, `peak` streams a file of 2 GB " +
      "(before compression), and `peak-leased` streams it in leased batches. `batch` is the size of the largest batch. " +
      "The set `arrow` is an Arrow file, and `arrows` an Arrow stream. With `-zstd`, the batches are compressed.",
    headline: [],
  },
  {
    bench: "import",
    words:
      "Measures separate processes from start to exit. `node` imports nothing, and the others import one package each. " +
      "`time` is the wall time, and `cpu` the processor time of all threads. `rss` and `heap` are the resident memory and " +
      "the used heap at the end.",
    headline: [],
  },
  {
    bench: "beam",
    words:
      "`plan` splits 2,000 simulated files into 100,000 units for 1,000 workers. `time` is the time that this takes, and " +
      "`peak` the peak memory of the process. `workers` decodes tf.Examples with one and with two worker processes. " +
      "`small` groups records of 200 bytes by key, and `large` groups records of 2 MB. The pipeline of these two is written in " +
      "JavaScript, and runs on the direct runner of Beam's JavaScript SDK, on Beam's Python runner and on prism. " +
      "`:runner-cpu` is the processor time of the runner's process.",
    headline: [],
  },
  {
    bench: "webgpu",
    words:
      "Measures the time from a batch until its tensors are on the device and an operation has read the last value. The " +
      "unit is MB/s of the tensors. `device` lays out the tensors on the device, from packed values and row splits. `host` " +
      "lays them out on the host and then uploads them.",
    headline: ["device"],
  },
];

/** Returns the section on a bench. For an unknown bench, returns a section without text. */
export function sectionOf(bench: string): Section {
  return sections.find((section) => section.bench === bench) ?? { bench, words: "", headline: [] };
}
