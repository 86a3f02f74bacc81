package im.zonda.xml.framing;

import java.util.Arrays;

/// The elements whose end tags have not come yet, innermost last; positions are relative to the
/// start of the first-level element.
final class OpenElements {
  private static final int FIELDS = 3;

  // Name start, name end and the number of outer namespace declarations of each.
  private int[] fields = new int[16 * FIELDS];
  private int depth;

  void clear() {
    depth = 0;
  }

  int depth() {
    return depth;
  }

  /// Opens an element with that name, outside of which that many declarations are in scope.
  void push(int nameFrom, int nameTo, int outerDeclarations) {
    int at = depth * FIELDS;
    if (at + FIELDS > fields.length) {
      fields = Arrays.copyOf(fields, 2 * fields.length);
    }
    fields[at] = nameFrom;
    fields[at + 1] = nameTo;
    fields[at + 2] = outerDeclarations;
    depth++;
  }

  /// Closes the innermost element and returns how many declarations are in scope outside of it.
  int pop() {
    depth--;
    return fields[depth * FIELDS + 2];
  }

  int nameFrom() {
    return fields[(depth - 1) * FIELDS];
  }

  int nameTo() {
    return fields[(depth - 1) * FIELDS + 1];
  }
}
