package planted.stanza;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Static fields that are final and hold what can change.
final class Shared {
  static final List<String> NAMES = new ArrayList<>();
  static final Map<String, AtomicLong> COUNTS = Map.of("a", new AtomicLong());
  static final byte[] SHOWN = {1};
  static final Box BOX = new Box();
  static final Runnable TASK = NAMES::clear;

  // These are right.
  private static final byte[] KEPT = {1};
  static final List<String> WORDS = List.of("a");
  static final Pair PAIR = new Pair("a", List.of(1));

  private Shared() {}

  static int length() {
    return KEPT.length;
  }

  /// Can be changed.
  static final class Box {
    int content;
  }

  /// A value.
  record Pair(String name, List<Integer> numbers) {}
}
