package im.zonda.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.Main;
import im.zonda.app.SourceTree;
import im.zonda.app.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Links of pages lead somewhere, and the commands and settings that pages name exist.
class MarkdownTest {
  /// Pages that name commands of their time, and those that are generated from the commands.
  private static final List<String> OF_THEIR_TIME =
      List.of("docs/decisions/", "docs/reference/", "docs/measurements.md", "docs/then-and-now.md");

  @TempDir private Path folder;

  private static List<Page> pages() throws IOException {
    List<Page> pages = new ArrayList<>();
    for (Path file : SourceTree.texts()) {
      if (file.toString().endsWith(".md")) {
        pages.add(new Page(file.toString(), SourceTree.read(file)));
      }
    }
    assertThat(pages).hasSizeGreaterThan(50);
    return pages;
  }

  private static boolean isOfToday(Page page) {
    return OF_THEIR_TIME.stream().noneMatch(page.name()::startsWith);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    Map<String, Set<String>> anchors = new HashMap<>();
    for (Page page : pages()) {
      anchors.put(page.name(), page.anchors());
    }
    List<String> broken = new ArrayList<>();
    for (Page page : pages()) {
      Path parent = Objects.requireNonNullElse(Path.of(page.name()).getParent(), Path.of(""));
      for (String link : page.links()) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? Path.of(page.name()) : parent.resolve(path).normalize();
        boolean there = Files.exists(SourceTree.root().resolve(target));
        Set<String> inside = anchors.get(target.toString());
        if (!there || (hash >= 0 && inside != null && !inside.contains(link.substring(hash + 1)))) {
          broken.add(page.name() + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void commandsExist() throws IOException {
    PageCommands commands = commands();
    List<String> unknown = new ArrayList<>();
    for (Page page : pages()) {
      if (isOfToday(page)) {
        unknown.addAll(commands.unknown(page));
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void settingsExist() throws IOException {
    PageSettings settings = new PageSettings(Main.program().optionalModules(), folder);
    List<String> unknown = new ArrayList<>();
    for (Page page : pages()) {
      if (isOfToday(page)) {
        unknown.addAll(settings.unknown(page));
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void whatIsWrongInAPageIsFound() throws IOException {
    Page planted =
        new Page(
            "x.md",
            """
            # A `page` of 1,000

            ## A page of 1,000

            [one](y.md#a), [two](https://example.org), `[three](z.md)`, `./zonda usr list`.

            ```
            $ ./zonda user list --jsn           ./zonda usr is no command here
            $ /opt/zonda/zonda status --json; zonda room lst
            zonda 0.1.0 is ready
            ```

            ```toml
            [limits]
            resume-tiem = "10m"
            ```
            """);
    assertThat(planted.anchors()).containsExactlyInAnyOrder("a-page-of-1000", "a-page-of-1000-1");
    assertThat(planted.links()).containsExactly("y.md#a");
    assertThat(commands().unknown(planted))
        .containsExactly(
            "x.md:5: zonda has no command usr",
            "x.md:8: zonda user list has no option --jsn",
            "x.md:9: zonda room has no command lst");
    assertThat(new PageSettings(Set.of(), folder).unknown(planted))
        .containsExactly("x.md:15: unknown key limits.resume-tiem; did you mean \"resume-time\"?");
  }

  private static PageCommands commands() {
    PrintWriter nothing = new PrintWriter(Writer.nullWriter());
    return new PageCommands(Commands.of(Main.program(), nothing, nothing));
  }
}
