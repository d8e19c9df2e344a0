import type { ListedDifference } from "../tfx-bsl/listed-differences.js";

/** The known differences from struct2tensor 0.48.1. */
export const knownDifferences: Readonly<Record<string, ListedDifference>> = {
  "a message copied into itself": {
    reason:
      "struct2tensor tries to promote beyond the root if promoteAndBroadcast copies a message into itself or a descendant",
    isShownBy: ({ difference }) =>
      difference.startsWith(
        "struct2tensor rejects the query (ValueError: Cannot do a promotion beyond the root",
      ),
  },
  "fields of a copied message": {
    reason: "struct2tensor loses the children of some broadcast messages",
    isShownBy: ({ difference }) =>
      difference.startsWith(
        "struct2tensor rejects the query (AttributeError: 'NoneType' object has no attribute 'is_repeated'",
      ),
  },
};
