package im.zonda.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What strangers may choose appears in pages as text.
class TemplatesTest {
  private static String page(String name, String link) {
    Frame frame =
        new Frame(
            Objects.requireNonNull(ConsoleTexts.read().languages().get("en")),
            name,
            name,
            name,
            List.of(new Frame.Entry(name, name, link, true)),
            name,
            name,
            name,
            0);
    Section section =
        new Section(
            name,
            List.of(new Fact(name, new Cell(name, link, name, Tone.BAD, true))),
            new Table(
                List.of(new Column(name, true)),
                List.of(List.of(Cell.of(name))),
                List.of(List.of(Link.to(name, link)))),
            name,
            name,
            List.of(new Link(name, link, true)));
    HttpResponse response =
        new Templates().page(200, "sections", frame, Map.of("sections", List.of(section)));
    return new String(((HttpContent.Bytes) response.content()).bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void namesAreTexts() {
    String page = page("\"><script>x</script>' onload=x <!--", "/admin/");
    assertThat(page).doesNotContain("<script>x", "\"><script", "<!--").contains("&lt;script&gt;x");
    assertThat(page("x", "javascript:alert(1)")).doesNotContain("javascript:");
  }

  @Test
  void namesDoNotChangeTheDirectionOfWhatFollows() {
    String page = page("a\u202eb\u2067c\u0007d\u0085e\ud83d\ude00", "/admin/");
    assertThat(page).contains("a\ufffdb\ufffdc\ufffdd\ufffde\ud83d\ude00");
    assertThat(page).doesNotContain("\u202e", "\u2067", "\u0007", "\u0085");
  }
}
