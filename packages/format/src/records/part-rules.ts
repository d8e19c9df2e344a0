import { aFunction, aName, anObject, membersOf, type Rule, rule } from "@tfxio/wire/checks";

/** A rule that checks the required members of a {@link RecordContainer}. */
export const aContainer: Rule = rule("a RecordContainer, such as linesContainer", (value) => {
  const { id, extensions, defaults, blocks } = membersOf(value);
  return aName.holds(id) && Array.isArray(extensions) && anObject.holds(defaults) && aFunction.holds(blocks);
});

/** A rule that checks the required members of a {@link PayloadDecoder}. */
export const aPayload: Rule = rule("a PayloadDecoder, such as examplePayload", (value) => {
  const { id, defaults, plan } = membersOf(value);
  return aName.holds(id) && anObject.holds(defaults) && aFunction.holds(plan);
});
