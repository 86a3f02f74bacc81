package im.zonda.study.jar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// A jar before and after it was changed.
///
/// @param name its file name
/// @param before its size, in bytes
/// @param after its size, in bytes
/// @param classes how many classes it has; -1 if they were not counted
/// @param kept how many of them could not be changed
/// @param seconds how long it took; NaN if it was changed together with others
public record JarRow(String name, long before, long after, int classes, int kept, double seconds) {
  /// A jar that was changed.
  static JarRow of(Path from, Path to, int classes, int kept, long nanos) throws IOException {
    return new JarRow(
        from.getFileName().toString(),
        Files.size(from),
        Files.size(to),
        classes,
        kept,
        nanos / 1e9);
  }

  /// For a file.
  public Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", name);
    all.put("before", before);
    all.put("after", after);
    all.put("classes", classes);
    all.put("kept", kept);
    if (!Double.isNaN(seconds)) {
      all.put("seconds", seconds);
    }
    return all;
  }
}
