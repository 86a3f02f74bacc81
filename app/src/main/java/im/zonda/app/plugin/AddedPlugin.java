package im.zonda.app.plugin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A plugin that was added, as the database has it.
///
/// @param name its name
/// @param version its version
/// @param sha256 the hash of its jar, which every node checks before it starts the plugin
/// @param size the bytes of the jar
/// @param enabled whether it is to run
/// @param reason why it is not; null if it is, or if an administrator has given none
/// @param added when this version was added
/// @param by who has added it
record AddedPlugin(
    String name,
    String version,
    String sha256,
    int size,
    boolean enabled,
    @Nullable String reason,
    Instant added,
    String by) {
  private static final int MOST_REASON = 500;

  /// Lines: version, hash, size, on or off, when, by; then the reason.
  byte[] write() {
    String text =
        String.join(
            "\n",
            version,
            sha256,
            Integer.toString(size),
            enabled ? "on" : "off",
            Long.toString(added.toEpochMilli()),
            by,
            reason == null ? "" : reason);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// @throws IllegalArgumentException if it was damaged
  static AddedPlugin read(String name, byte[] stored) {
    String[] lines = new String(stored, StandardCharsets.UTF_8).split("\n", 7);
    if (lines.length != 7) {
      throw new IllegalArgumentException("not seven lines");
    }
    return new AddedPlugin(
        name,
        lines[0],
        lines[1],
        Integer.parseInt(lines[2]),
        lines[3].equals("on"),
        lines[6].isEmpty() ? null : lines[6],
        Instant.ofEpochMilli(Long.parseLong(lines[4])),
        lines[5]);
  }

  /// The same, to run.
  AddedPlugin on() {
    return new AddedPlugin(name, version, sha256, size, true, null, added, by);
  }

  /// The same, not to run.
  AddedPlugin off(@Nullable String why) {
    String line = why == null ? null : why.replaceAll("\\p{Cntrl}+", " ");
    return new AddedPlugin(
        name,
        version,
        sha256,
        size,
        false,
        line == null || line.length() <= MOST_REASON ? line : line.substring(0, MOST_REASON),
        added,
        by);
  }
}
