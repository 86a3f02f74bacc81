package im.zonda.web.chat;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.StaticFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Serves the files of the chat. Each is compressed when it is first asked for and kept so, within
/// a bound; those beyond it, and large ones, are sent as they are.
public final class ChatHandler implements HttpHandler {
  /// What the compressed forms of all files may take.
  private static final int MOST_KEPT = 8_388_608;

  /// The largest file that is compressed.
  private static final int MOST_FILE = 8_388_608;

  private static final String CACHE = "public, max-age=31536000, immutable";
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

  private final ChatFiles chat;
  private final Map<String, StaticFile> ready = new ConcurrentHashMap<>();
  private final AtomicInteger kept = new AtomicInteger();

  public ChatHandler(ChatFiles chat) {
    this.chat = chat;
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    String name = request.path().substring(chat.folder().length());
    Path file = chat.files().get(name);
    if (file == null) {
      throw new HttpException(404, "the chat has no file " + name);
    }
    StaticFile known = ready.get(name);
    StaticFile found = known == null ? prepare(name, file) : known;
    return found == null
        ? HttpResponse.file(200, type(name), file, 0, Files.size(file)).with("Cache-Control", CACHE)
        : found.handle(request);
  }

  /// The file with its compressed form; null if that would be too large.
  private @Nullable StaticFile prepare(String name, Path file) throws IOException {
    long size = Files.size(file);
    if (size > MOST_FILE || kept.get() > MOST_KEPT) {
      return null;
    }
    StaticFile made =
        StaticFile.of(
            type(name), Files.readAllBytes(file), new HttpContent.FilePart(file, 0, size), CACHE);
    StaticFile other = ready.putIfAbsent(name, made);
    if (other != null) {
      return other;
    }
    kept.addAndGet(made.compressedBytes());
    return made;
  }

  private static String type(String name) {
    return TYPES.getOrDefault(
        name.substring(name.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
  }
}
