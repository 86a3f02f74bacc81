package im.zonda.web.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.web.PageRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatFilesTest {
  @TempDir private Path folder;

  @Test
  void onlyFilesOfTheChatAreServed() throws Exception {
    Path chat = folder.resolve("chat");
    Files.createDirectories(chat.resolve("images"));
    Files.writeString(chat.resolve("version"), "14.0.0\n");
    Path script = Files.writeString(chat.resolve("converse.min.js"), "script");
    Files.writeString(chat.resolve("images/x.svg"), "<svg/>");
    Files.writeString(folder.resolve("secret"), "secret");
    ChatFiles files = ChatFiles.find(folder);
    ChatHandler handler = new ChatHandler(files);

    HttpResponse response = handler.handle(PageRequest.get("/chat/14.0.0/converse.min.js"));

    assertThat(files.folder()).isEqualTo("/chat/14.0.0/");
    assertThat(response.content()).isEqualTo(new HttpContent.FilePart(script, 0, 6));
    assertThat(response.headers().toString()).contains("text/javascript", "immutable");
    assertThat(handler.handle(PageRequest.get("/chat/14.0.0/images/x.svg")).headers().toString())
        .contains("image/svg+xml");
    Files.writeString(chat.resolve("later.js"), "script");
    for (String name : List.of("", "later.js", "../secret", "/etc/passwd", "images")) {
      assertThatExceptionOfType(HttpException.class)
          .as(name)
          .isThrownBy(() -> handler.handle(PageRequest.get("/chat/14.0.0/" + name)))
          .matches(e -> e.status() == 404);
    }
  }

  @Test
  void scriptsAreCompressedAndOtherFilesAreNot() throws Exception {
    Path chat = Files.createDirectories(folder.resolve("chat"));
    Files.writeString(chat.resolve("version"), "14.0.0\n");
    Files.writeString(chat.resolve("large.js"), "script ".repeat(1_000));
    Files.writeString(chat.resolve("large.mp3"), "sound ".repeat(1_000));
    ChatHandler handler = new ChatHandler(ChatFiles.find(folder));
    for (int i = 0; i < 2; i++) {
      HttpResponse script =
          handler.handle(
              PageRequest.get("/chat/14.0.0/large.js").with(Map.of("accept-encoding", "gzip")));
      assertThat(script.headers().toString()).contains("Content-Encoding", "immutable");
      assertThat(((HttpContent.Bytes) script.content()).bytes().length).isLessThan(500);
    }
    HttpResponse sound =
        handler.handle(
            PageRequest.get("/chat/14.0.0/large.mp3").with(Map.of("accept-encoding", "gzip")));
    assertThat(sound.has("Content-Encoding")).isFalse();
    assertThat(sound.content()).isInstanceOf(HttpContent.FilePart.class);
  }

  @Test
  void aProductMayHaveNoChat() {
    assertThat(ChatFiles.find(null).isPresent()).isFalse();
    assertThat(ChatFiles.find(folder).isPresent()).isFalse();
  }
}
