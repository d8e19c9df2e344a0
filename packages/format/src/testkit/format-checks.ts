import { ArgumentError } from "@tfxio/wire";
import type { Format } from "../format.js";
import type { FormatCheck } from "./check.js";
import { brokenChecks, truncationChecks } from "./damage-checks.js";
import { detectionChecks } from "./detection-checks.js";
import type { BrokenFixture, FormatFixture } from "./fixture.js";
import { lifecycleChecks } from "./lifecycle-checks.js";
import { readingChecks } from "./reading-checks.js";
import { requestChecks } from "./request-checks.js";
import { splitChecks } from "./split-checks.js";
import { writeChecks } from "./write-checks.js";

/** What a format is checked with. */
export interface FormatChecksOptions<Options extends object> {
  /** At least one with rows; names distinct, they head the names of the checks. */
  readonly fixtures: readonly (FormatFixture<Options> | BrokenFixture<Options>)[];
  /** A fresh path to write to, for formats that write. */
  readonly writeTarget?: (() => string) | undefined;
}

/**
 * The contract of a format as checks for any test runner:
 * `for (const check of formatChecks(format, { fixtures })) test(check.name, check.run)`.
 * They hold no state, and may run in any order. A format without `write` gets no checks on writing.
 * @throws {ArgumentError} `invalid-argument` without a fixture that has rows, for a name given twice, or without
 * `writeTarget` for a format that writes.
 */
export function formatChecks<Options extends object>(
  format: Format<Options>,
  { fixtures, writeTarget }: FormatChecksOptions<Options>,
): readonly FormatCheck[] {
  if (new Set(fixtures.map(({ name }) => name)).size !== fixtures.length) {
    throw new ArgumentError("invalid-argument", "two fixtures have the same name", { argument: "fixtures" });
  }
  if (!fixtures.some((fixture) => "rows" in fixture && fixture.rows.length > 0)) {
    throw new ArgumentError("invalid-argument", "no fixture has rows", { argument: "fixtures" });
  }
  return fixtures.flatMap((fixture) =>
    checksOf(format, fixture, writeTarget).map(({ name, run }) => ({
      name: `${format.id}, ${fixture.name}: ${name}`,
      run,
    })),
  );
}

function checksOf<Options extends object>(
  format: Format<Options>,
  fixture: FormatFixture<Options> | BrokenFixture<Options>,
  writeTarget: (() => string) | undefined,
): readonly FormatCheck[] {
  const subject = { format, fixture };
  if ("error" in fixture) return brokenChecks(subject, fixture);
  const checks = [
    ...readingChecks(subject, fixture),
    ...splitChecks(subject, fixture),
    ...requestChecks(subject, fixture),
    ...lifecycleChecks(subject),
    ...truncationChecks(subject, fixture),
    ...detectionChecks(subject),
  ];
  if (format.write === undefined) return checks;
  if (writeTarget === undefined) {
    throw new ArgumentError("invalid-argument", `${format.id} writes: say where to`, {
      argument: "writeTarget",
    });
  }
  return [...checks, ...writeChecks(subject, fixture, format.write, writeTarget)];
}
