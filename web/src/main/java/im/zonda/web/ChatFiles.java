package im.zonda.web;

import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
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
record ChatFiles(String version, Map<String, Path> files) implements HttpHandler {
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("png", "image/png"),
          Map.entry("ico", "image/vnd.microsoft.icon"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("ogg", "audio/ogg"));

  /// No chat.
  static final ChatFiles NONE = new ChatFiles("", Map.of());

  /// Copies the map.
  ChatFiles {
    files = Map.copyOf(files);
  }

  /// Finds the files.
  ///
  /// @param folder the folder of what the server shows, or null
  static ChatFiles find(@Nullable Path folder) {
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
  boolean isPresent() {
    return !version.isEmpty();
  }

  /// The path of the files.
  String folder() {
    return "/chat/" + version + "/";
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    String name = request.path().substring(folder().length());
    Path file = files.get(name);
    if (file == null) {
      throw new HttpException(404, "the chat has no file " + name);
    }
    String type =
        TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
    return HttpResponse.file(200, type, file, 0, Files.size(file))
        .with("Cache-Control", "public, max-age=31536000, immutable");
  }
}
