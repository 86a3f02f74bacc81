package im.zonda.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    HttpResponse response = files.handle(PageRequest.get("/chat/14.0.0/converse.min.js"));

    assertThat(files.folder()).isEqualTo("/chat/14.0.0/");
    assertThat(response.content()).isEqualTo(new HttpContent.FilePart(script, 0, 6));
    assertThat(response.headers().toString()).contains("text/javascript", "immutable");
    assertThat(files.handle(PageRequest.get("/chat/14.0.0/images/x.svg")).headers().toString())
        .contains("image/svg+xml");
    Files.writeString(chat.resolve("later.js"), "script");
    for (String name : List.of("", "later.js", "../secret", "/etc/passwd", "images")) {
      assertThatExceptionOfType(HttpException.class)
          .as(name)
          .isThrownBy(() -> files.handle(PageRequest.get("/chat/14.0.0/" + name)))
          .matches(e -> e.status() == 404);
    }
  }

  @Test
  void aProductMayHaveNoChat() {
    assertThat(ChatFiles.find(null).isPresent()).isFalse();
    assertThat(ChatFiles.find(folder).isPresent()).isFalse();
  }
}
