package im.zonda.metric;

import java.util.List;

/// Store of what was measured, in parts: one for each node, length of step and beginning. It may
/// have gaps, and nothing but charts depends on it. Calls block.
public interface HistoryStore {
  /// The maximum length of a part, in bytes.
  int MAX_BYTES = 1 << 20;

  /// The maximum length of the name of a node, in bytes of UTF-8.
  int MAX_NODE_BYTES = 64;

  /// The maximum number of parts that are read at once.
  int MAX_PARTS = 1_000;

  /// A store that keeps nothing.
  HistoryStore NONE =
      new HistoryStore() {
        @Override
        public void put(Part part) {}

        @Override
        public List<Part> read(String node, int step, long since, long until) {
          return List.of();
        }

        @Override
        public List<String> nodes() {
          return List.of();
        }

        @Override
        public int erase(int step, long before, int limit) {
          return 0;
        }
      };

  /// A part.
  ///
  /// @param node the node of the cluster; empty without one
  /// @param step the length of its steps, in seconds
  /// @param begin the beginning of its first step, in seconds since 1970
  /// @param data its values; not copied
  @SuppressWarnings("ArrayRecordComponent") // parts are not compared
  record Part(String node, int step, long begin, byte[] data) {
    /// @throws IllegalArgumentException if it is too long
    public Part {
      if (data.length > MAX_BYTES || node.length() > MAX_NODE_BYTES) {
        throw new IllegalArgumentException("a part of the history is too long");
      }
    }
  }

  /// Stores a part, in place of the one with the same node, step and beginning.
  void put(Part part);

  /// The parts of a node that begin from `since` on and before `until`, in seconds since 1970, the
  /// oldest first; at most [#MAX_PARTS].
  List<Part> read(String node, int step, long since, long until);

  /// The nodes of which there are parts, in the order of their names.
  List<String> nodes();

  /// Erases parts with that step that begin before a time, in seconds since 1970.
  ///
  /// @param limit the maximum number
  /// @return how many were erased
  int erase(int step, long before, int limit);
}
