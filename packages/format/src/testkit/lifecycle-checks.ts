import { check, codedRejectionOf, type FormatCheck, rejectionOf } from "./check.js";
import { readRows, readSplit, type Subject, withOpened } from "./opened-fixture.js";

/** Chunk numbers, counted from 1. For each of them, a separate read is aborted while it waits for that chunk. */
const PULLS_TO_ABORT_AT = [1, 2, 3, 5, 8];

/** Creates checks that no source is opened early or stays open, and that reads obey signals and `close`. */
export function lifecycleChecks<Options extends object>(subject: Subject<Options>): FormatCheck[] {
  return [
    {
      name: "opens nothing for a read before the first batch is requested, and leaves nothing open after the last",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          for (const split of plan.splits) {
            const openedBefore = opened.sources.map((source) => source.numOpened());
            plan.read(split)[Symbol.asyncIterator]();
            await Promise.resolve();
            opened.sources.forEach((source, index) =>
              check(
                source.numOpened() === openedBefore[index],
                `${source.uri} was opened before the first next()`,
              ),
            );
          }
          await readRows(plan);
          opened.checkNothingOpen("after everything was read");
        }),
    },
    {
      name: "leaves nothing open when the loop is left early",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ batchSize: 1 });
          for (const split of plan.splits) {
            for await (const _ of plan.read(split)) break;
            opened.checkNothingOpen("after the loop was left");
          }
        }),
    },
    {
      name: "reads nothing with a signal that has aborted",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const openedBefore = opened.sources.map((source) => source.numOpened());
          const reason = { aborted: "before reading" };
          for (const split of plan.splits) {
            const read = (): Promise<unknown> =>
              readSplit(plan, split, { signal: AbortSignal.abort(reason) });
            checkReason(await rejectionOf(read, "an aborted read"), reason);
          }
          opened.sources.forEach((source, index) =>
            check(source.numOpened() === openedBefore[index], `${source.uri} was opened by an aborted read`),
          );
        }),
    },
    {
      name: "rejects with the signal's reason when aborted between batches, and leaves nothing open",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ batchSize: 1 });
          for (const split of plan.splits) {
            const controller = new AbortController();
            const reason = { aborted: "between batches" };
            let numBatches = 0;
            const read = async (): Promise<void> => {
              for await (const _ of plan.read(split, { signal: controller.signal })) {
                numBatches++;
                controller.abort(reason);
              }
              // A split without rows ends before it can be aborted.
              if (numBatches === 0) throw reason;
            };
            checkReason(await rejectionOf(read, "an aborted read"), reason);
            check(numBatches <= 1, `${numBatches} batches came, but the read was aborted after the first`);
            opened.checkNothingOpen("after an abort between batches");
          }
        }),
    },
    {
      name: "rejects with the signal's reason when aborted while it waits for bytes, and leaves nothing open",
      run: async () => {
        for (const pullToAbortAt of PULLS_TO_ABORT_AT) await checkAbortAt(subject, pullToAbortAt);
      },
    },
    {
      name: "does not open or plan with a signal that has aborted",
      run: async () => {
        const reason = { aborted: "before planning" };
        const signal = AbortSignal.abort(reason);
        const { format } = subject;
        await withOpened(subject, async (opened) => {
          checkReason(await rejectionOf(() => opened.plan({ signal }), "an aborted plan"), reason);
          const open = (): Promise<unknown> => format.open(opened.sources, { signal });
          checkReason(await rejectionOf(open, "an aborted open"), reason);
        });
      },
    },
    {
      name: "lets its reader be closed twice, and rejects later reads and plans",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          await opened.reader.close();
          await opened.reader.close();
          await codedRejectionOf(() => readRows(plan), "reading after close()", "invalid-argument");
          await codedRejectionOf(() => opened.plan(), "planning after close()", "invalid-argument");
        }),
    },
  ];
}

/** Aborts a read while it waits for chunk number `pullToAbortAt`. A read of fewer chunks ends normally. */
async function checkAbortAt<Options extends object>(
  subject: Subject<Options>,
  pullToAbortAt: number,
): Promise<void> {
  const controller = new AbortController();
  const reason = { aborted: `in chunk ${pullToAbortAt}` };
  let [isReading, numPulls] = [false, 0];
  const onPull = (): void => {
    if (isReading && ++numPulls === pullToAbortAt) controller.abort(reason);
  };
  await withOpened(
    subject,
    async (opened) => {
      const plan = await opened.plan();
      isReading = true;
      const read = async (): Promise<void> => {
        for (const split of plan.splits) await readSplit(plan, split, { signal: controller.signal });
        if (numPulls < pullToAbortAt) throw reason;
      };
      checkReason(await rejectionOf(read, `a read aborted in chunk ${pullToAbortAt}`), reason);
      opened.checkNothingOpen(`after an abort in chunk ${pullToAbortAt}`);
    },
    { onPull },
  );
}

function checkReason(error: unknown, reason: object): void {
  check(
    error === reason,
    `an aborted call must reject with the signal's own reason, but rejected with ${String(error)}`,
  );
}
