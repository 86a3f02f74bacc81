package im.zonda.app.pages;

import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The settings that blocks of pages have, read by the server's own reader.
///
/// @param modules the names of modules that can be switched off
/// @param folder for a file
record PageSettings(Set<String> modules, Path folder) {
  /// The other files in TOML: the manifest of a plugin, a target of webhooks, the file of one host.
  private static final Predicate<String> OTHER =
      Pattern.compile("(?m)^class = |^kinds = |^# hosts\\.d/").asPredicate();

  private static final Predicate<String> EDGE = Pattern.compile("(?m)^\\[edge\\]").asPredicate();

  /// What does not fit each other in an example is left to the reader: files that are not here, and
  /// keys of other blocks.
  private static final Predicate<String> WRONG =
      Pattern.compile("unknown key|must be a |must be an? |Unexpected|duplicate").asPredicate();

  /// Keys and values of a page that the server does not know, each with its line.
  List<String> unknown(Page page) throws IOException {
    List<String> unknown = new ArrayList<>();
    Map<Integer, StringBuilder> blocks = new TreeMap<>();
    Map<Integer, Integer> begins = new TreeMap<>();
    for (Page.Line line : page.lines()) {
      if (line.language().equals("toml")) {
        begins.putIfAbsent(line.block(), line.number());
        blocks
            .computeIfAbsent(line.block(), _ -> new StringBuilder())
            .append(line.text().strip())
            .append('\n');
      }
    }
    for (Map.Entry<Integer, StringBuilder> block : blocks.entrySet()) {
      String text = block.getValue().toString();
      if (!OTHER.test(text)) {
        int begin = begins.getOrDefault(block.getKey(), 1);
        for (Problem each : problems(text)) {
          if (WRONG.test(each.message())) {
            int line = begin + each.place().line() - 1;
            unknown.add(page.name() + ":" + line + ": " + each.message());
          }
        }
      }
    }
    return unknown;
  }

  private List<Problem> problems(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("page.toml"), text);
    try {
      Object _ =
          EDGE.test(text)
              ? SettingsReader.readEdge(file, folder)
              : new SettingsReader(Map.of(), modules).read(file, null, folder);
      return List.of();
    } catch (SettingsException e) {
      return e.problems();
    }
  }
}
