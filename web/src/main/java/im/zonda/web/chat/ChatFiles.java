package im.zonda.web.chat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of converse.js that were brought when the product was built. Only files that were in
/// the folder at the start are served; each version has a path of its own, so that browsers keep
/// them.
///
/// @param version of converse.js; empty if the product has no chat
/// @param files by their path below [#folder]
public record ChatFiles(String version, Map<String, Path> files) {
  /// No chat.
  public static final ChatFiles NONE = new ChatFiles("", Map.of());

  /// Copies the map.
  public ChatFiles {
    files = Map.copyOf(files);
  }

  /// Finds the files.
  ///
  /// @param folder the folder of what the server shows, or null
  public static ChatFiles find(@Nullable Path folder) {
    Path chat = folder == null ? null : folder.resolve("chat");
    if (chat == null || !Files.isRegularFile(chat.resolve("version"))) {
      return NONE;
    }
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(chat)) {
      all.filter(Files::isRegularFile)
          .forEach(file -> files.put(chat.relativize(file).toString(), file));
      return new ChatFiles(Files.readString(chat.resolve("version")).strip(), files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether there is a chat.
  public boolean isPresent() {
    return !version.isEmpty();
  }

  /// The path of the files.
  public String folder() {
    return "/chat/" + version + "/";
  }
}
