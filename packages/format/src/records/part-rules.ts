import { aFunction, aName, anObject, membersOf, type Rule, rule } from "@tfxio/wire/checks";

/** Checks of a {@link RecordContainer} before it is used. */
export const aContainer: Rule = rule("a RecordContainer, such as linesContainer", (value) => {
  const { id, extensions, defaults, blocks } = membersOf(value);
  return aName.holds(id) && Array.isArray(extensions) && anObject.holds(defaults) && aFunction.holds(blocks);
});

/** Checks of a {@link PayloadDecoder} before it is used. */
export const aPayload: Rule = rule("a PayloadDecoder, such as examplePayload", (value) => {
  const { id, defaults, plan } = membersOf(value);
  return aName.holds(id) && anObject.holds(defaults) && aFunction.holds(plan);
});
