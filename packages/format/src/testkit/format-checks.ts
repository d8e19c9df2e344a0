import { unusableArgument } from "@tfxio/wire/checks";
import type { Format, WritableFormat } from "../format.js";
import { CheckFailure, type FormatCheck } from "./check.js";
import { brokenChecks, truncationChecks } from "./damage-checks.js";
import { declaredChecks, isCutIntoParts } from "./declared-checks.js";
import { detectionChecks, isFoundByContent } from "./detection-checks.js";
import { filterChecks, isFiltered } from "./filter-checks.js";
import type { BrokenFixture, FormatFixture } from "./fixture.js";
import { lifecycleChecks } from "./lifecycle-checks.js";
import { hasRandomAccess, randomAccessChecks } from "./random-access-checks.js";
import { readingChecks } from "./reading-checks.js";
import { requestChecks } from "./request-checks.js";
import { shuffleChecks } from "./shuffle-checks.js";
import { splitChecks } from "./split-checks.js";
import { streamChecks } from "./stream-checks.js";
import { canBeWritten, writeChecks } from "./write-checks.js";

/** Options of {@link formatChecks}. */
export interface FormatChecksOptions<Options extends object> {
  /**
   * The fixtures to check. At least one must have rows. Their names must be distinct, because the name of each check begins with
   * the format's id and the fixture's name.
   */
  readonly fixtures: readonly (FormatFixture<Options> | BrokenFixture<Options>)[];
}

/**
 * Creates checks of the format contract for any test runner:
 * `for (const check of formatChecks(format, { fixtures })) test(check.name, check.run)`.
 * The checks are stateless and can run in any order. They check that every optional member that the format declares has an
 * effect, and that requests for undeclared members fail. So if a format declares any of `filter`, `subdivide`, `randomAccess`,
 * `sniff` and `createWriter`, each declared member needs a fixture on which it has an effect. A format without `createWriter`
 * gets no write checks.
 * @throws {ArgumentError} `invalid-argument` if no fixture has rows, or if a name occurs twice.
 */
export function formatChecks<Options extends object>(
  format: Format<Options>,
  { fixtures }: FormatChecksOptions<Options>,
): readonly FormatCheck[] {
  const names = fixtures.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw unusableArgument("fixtures", `must have distinct names, found "${repeated}" twice`);
  if (!fixtures.some((fixture) => "rows" in fixture && fixture.rows.length > 0)) {
    throw unusableArgument("fixtures", "must include one that has rows");
  }
  const checks = fixtures.flatMap((fixture) =>
    checksOf(format, fixture).map(({ name, run }) => ({
      name: `${format.id}, ${fixture.name}: ${name}`,
      run,
    })),
  );
  return [...checks, ...effectChecks(format, fixtures)];
}

/** Creates checks that every declared optional member has an effect on at least one fixture. */
function effectChecks<Options extends object>(
  format: Format<Options>,
  fixtures: readonly (FormatFixture<Options> | BrokenFixture<Options>)[],
): FormatCheck[] {
  const { filter, subdivide, randomAccess } = format.reads;
  const effects = [
    { member: "filter", declared: filter, hasEffect: isFiltered<Options> },
    { member: "subdivide", declared: subdivide, hasEffect: isCutIntoParts<Options> },
    { member: "randomAccess", declared: randomAccess, hasEffect: hasRandomAccess<Options> },
    { member: "sniff", declared: format.sniff, hasEffect: isFoundByContent<Options> },
    { member: "createWriter", declared: format.createWriter, hasEffect: canBeWritten<Options> },
  ];
  return effects.flatMap(({ member, declared, hasEffect }) => {
    if (declared === undefined) return [];
    return {
      name: `${format.id}, all fixtures: declares ${member}, which has an effect on at least one fixture`,
      run: async () => {
        for (const fixture of fixtures) {
          if ("rows" in fixture && (await hasEffect({ format, fixture }, fixture))) return;
        }
        throw new CheckFailure(`${member} is declared, but has no effect on any fixture`);
      },
    };
  });
}

function checksOf<Options extends object>(
  format: Format<Options>,
  fixture: FormatFixture<Options> | BrokenFixture<Options>,
): readonly FormatCheck[] {
  const subject = { format, fixture };
  if ("error" in fixture) return brokenChecks(subject, fixture);
  const checks = [
    ...readingChecks(subject, fixture),
    ...splitChecks(subject, fixture),
    ...requestChecks(subject, fixture),
    ...declaredChecks(subject, fixture),
    ...filterChecks(subject, fixture),
    ...shuffleChecks(subject, fixture),
    ...randomAccessChecks(subject, fixture),
    ...streamChecks(subject),
    ...lifecycleChecks(subject),
    ...truncationChecks(subject, fixture),
    ...detectionChecks(subject),
  ];
  if (format.createWriter === undefined) return checks;
  return [...checks, ...writeChecks(subject, fixture, format as WritableFormat<Options>)];
}
