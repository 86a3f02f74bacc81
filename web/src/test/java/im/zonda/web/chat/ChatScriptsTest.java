package im.zonda.web.chat;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.web.PageRequest;
import im.zonda.web.page.WebTexts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChatScriptsTest {
  private static final Pattern IMPORT =
      Pattern.compile("^import .*?'\\./(.+)';$", Pattern.MULTILINE);
  private static final Pattern TEXT = Pattern.compile("\\bpage\\.(chat[A-Za-z]+)");

  private final ChatScripts scripts = new ChatScripts();

  /// What `start.js` imports, and what that imports, is served.
  @Test
  void everyScriptThatIsImportedIsServed() throws Exception {
    assertThat(imported()).contains("start.js", "page.js", "words.js");
  }

  @Test
  void everyTextOfTheScriptsIsThere() throws Exception {
    Set<String> used = new TreeSet<>();
    for (String name : imported()) {
      TEXT.matcher(source(name)).results().forEach(found -> used.add(found.group(1)));
    }
    Set<String> known = new TreeSet<>();
    for (String key : WebTexts.read("en").keys("chat.")) {
      known.add(
          Pattern.compile("[.-](.)")
              .matcher(key)
              .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT)));
    }
    assertThat(known).containsAll(used);
    known.removeAll(used);
    assertThat(known).as("texts of the page itself").containsExactly("chatNoscript", "chatTitle");
  }

  private Set<String> imported() throws Exception {
    Set<String> seen = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(Set.of("start.js"));
    while (!next.isEmpty()) {
      String name = next.remove();
      if (seen.add(name)) {
        Matcher imports = IMPORT.matcher(source(name));
        while (imports.find()) {
          next.add(imports.group(1));
        }
      }
    }
    return seen;
  }

  private String source(String name) throws Exception {
    return PageRequest.text(scripts.handle(PageRequest.get(ChatScripts.FOLDER + name)));
  }
}
