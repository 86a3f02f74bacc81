package im.zonda.web.chat;

import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.StaticFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Serves this server's own scripts and styles of the chat. Browsers ask each time whether a file
/// has changed: scripts that import each other are of one version.
public final class ChatScripts implements HttpHandler {
  /// The folder of the files in URLs.
  public static final String FOLDER = "/web/chat/";

  private static final List<String> NAMES =
      List.of(
          "actions.js",
          "archive.js",
          "attempt.js",
          "brand.js",
          "chat.css",
          "commands.js",
          "dialogs.js",
          "files.js",
          "finder.js",
          "history.js",
          "invite.js",
          "login.js",
          "notify.js",
          "page.js",
          "resume.js",
          "rooms.js",
          "start.js",
          "unread.js",
          "user.js",
          "welcome.js",
          "words.js");

  private final Map<String, StaticFile> files = new HashMap<>();

  /// Reads the files.
  public ChatScripts() {
    for (String name : NAMES) {
      String type = name.endsWith(".js") ? "text/javascript" : "text/css";
      files.put(name, StaticFile.of(ChatScripts.class, name, type + "; charset=utf-8", "no-cache"));
    }
  }

  @Override
  public HttpResponse handle(HttpRequest request) {
    StaticFile file = files.get(request.path().substring(FOLDER.length()));
    if (file == null) {
      throw new HttpException(404, "the chat has no such script");
    }
    return file.handle(request);
  }
}
