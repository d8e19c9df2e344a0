import { type ByteSource, bytesSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { Reader } from "../format.js";
import type { ReadPlan } from "../read-plan.js";
import type { ReadRequest } from "../read-request.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import { readAllBatches, readRows, type Subject } from "./opened-fixture.js";
import { checkRows, rowsOf } from "./rows.js";

/** Creates checks that a stream yields the same batches as a file, can be read only once, and is closed if it is left early. */
export function streamChecks<Options extends object>({ format, fixture }: Subject<Options>): FormatCheck[] {
  if (format.openStream === undefined) return [];
  const { schema, options } = fixture;
  const openStream = (bytes: AsyncIterable<Uint8Array>): Promise<Reader> =>
    format.openStream!(bytes, { options });
  const requests: readonly ReadRequest[] = [{ schema }, { schema, columns: [], batchSize: 2 }];
  return [
    {
      name: "reads a stream like a file, and only once",
      run: async () => {
        for (const [index, bytes] of fixture.sources.entries()) {
          const source: ByteSource = bytesSource(bytes, `fixture-${index}`);
          for (const request of requests) {
            const expected = await batchesOfReader(format.open([source], { options }), request);
            const found = await batchesOfReader(openStream(piecesOf(bytes)), request, async (plan) => {
              await codedRejectionOf(() => readRows(plan), "reading a stream twice", "invalid-argument");
            });
            checkRows(found.flatMap(rowsOf), expected.flatMap(rowsOf), `source ${index} as a stream`);
            const sizes = (batches: readonly RecordBatch[]) => batches.map(({ numRows }) => numRows).join();
            check(
              sizes(found) === sizes(expected),
              `source ${index} gave batches of ${sizes(found)} rows as a stream, but of ${sizes(expected)} rows as a file`,
            );
          }
        }
      },
    },
    {
      name: "closes a stream that is not read to its end",
      run: async () => {
        const [bytes = new Uint8Array()] = fixture.sources;
        for (const when of LEFT) {
          const stream = watchedStream(bytes, { stalls: when === "while it waited for bytes" });
          const leaving = new AbortController();
          const { signal } = leaving;
          const read = async (): Promise<void> => {
            const reader = await format.openStream!(stream, { options, signal });
            try {
              const plan = await reader.plan({ schema, batchSize: 1, signal });
              const [split] = plan.splits;
              if (split === undefined || when === "before it was read") return;
              for await (const _ of plan.read(split, { signal })) break;
            } finally {
              await reader.close();
            }
          };
          const reading = read().catch((error: unknown) => {
            if (!signal.aborted) throw error;
          });
          if (when === "while it waited for bytes") {
            await new Promise((resolve) => setTimeout(resolve));
            leaving.abort();
          }
          check(await endsInTime(reading), `a stream that was left ${when} was not closed in time`);
          check(!stream.isOpen(), `a stream that was left ${when} is still open`);
        }
      },
    },
  ];
}

/** Moments at which a stream is abandoned. */
const LEFT = ["before it was read", "after its first batch", "while it waited for bytes"] as const;
/** A read of an abandoned stream is considered to hang if it has not ended after this time. */
const MAX_WAIT_MS = 2000;

/** Returns whether `reading` ends within {@link MAX_WAIT_MS}. Clears its timer, which would otherwise keep the process alive. */
async function endsInTime(reading: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, false);
  });
  try {
    return await Promise.race([reading.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates a stream that records whether it is open. A stream that stalls never delivers a byte. */
function watchedStream(
  bytes: Uint8Array,
  { stalls }: { readonly stalls: boolean },
): AsyncIterable<Uint8Array> & { isOpen(): boolean } {
  let isOpen = false;
  let close: (result: IteratorReturnResult<undefined>) => void = () => {};
  const closed = new Promise<IteratorReturnResult<undefined>>((resolve) => {
    close = resolve;
  });
  return {
    isOpen: () => isOpen,
    [Symbol.asyncIterator]() {
      const pieces = piecesOf(bytes);
      isOpen = true;
      return {
        async next() {
          const piece = await (stalls ? closed : pieces.next());
          if (piece.done === true) isOpen = false;
          return piece;
        },
        async return() {
          isOpen = false;
          close({ done: true, value: undefined });
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Reads all batches, calls `then` with the plan, and closes the reader. */
async function batchesOfReader(
  opening: Promise<Reader>,
  request: ReadRequest,
  then: (plan: ReadPlan) => Promise<void> = async () => {},
): Promise<RecordBatch[]> {
  const reader = await opening;
  try {
    const plan = await reader.plan(request);
    const batches = await readAllBatches(plan);
    await then(plan);
    return batches;
  } finally {
    await reader.close();
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += 7) {
    await Promise.resolve();
    yield bytes.slice(at, at + 7);
  }
}
