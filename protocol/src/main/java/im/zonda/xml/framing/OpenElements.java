package im.zonda.xml.framing;

import java.util.Arrays;

/// Stack of the elements whose end tags have not been read; positions are relative to the start of
/// the first-level element.
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

  /// Pushes an element with this name, with the number of declarations in scope outside of it.
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

  /// Pops the innermost element and returns the number of declarations in scope outside of it.
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
