package im.zonda.app.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/// The commands that pages name, compared with those that there are.
///
/// @param root the command `zonda`
record PageCommands(CommandLine root) {
  /// At the beginning of a line or of a span of code, and after another command. What follows two
  /// spaces or a semicolon is no argument.
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:^\\s*(?:\\$ )?|`|&& |; )(?:env -u JAVA_HOME )?(?:\\S*/)?zonda"
              + " ([^`;|&>#]*?)(?=  |[`;|&>#]|$)");

  /// Words of the launcher, which it does not hand on.
  private static final Set<String> LAUNCHER = Set.of("test", "prepare", "docs", "study", "package");

  private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]*");

  /// Commands and options of a page that do not exist, each with its line.
  List<String> unknown(Page page) {
    List<String> unknown = new ArrayList<>();
    for (Page.Line line : page.lines()) {
      Matcher command = COMMAND.matcher(line.text());
      while (command.find()) {
        String wrong = wrong(command.group(1).strip());
        if (wrong != null) {
          unknown.add(page.name() + ":" + line.number() + ": " + wrong);
        }
      }
    }
    return unknown;
  }

  /// What is wrong with a command; null if nothing is.
  private @Nullable String wrong(String words) {
    CommandLine command = root;
    boolean named = false;
    for (String each : words.split("[\\s\\[\\]]+", -1)) {
      if (command.equals(root) && (LAUNCHER.contains(each) || each.equals("--offline"))) {
        return null; // a word of the launcher; what follows is its own
      }
      if (each.startsWith("--")) {
        String option = each.replaceFirst("[=,.…].*", "");
        if (command.getCommandSpec().findOption(option) == null) {
          return command.getCommandSpec().qualifiedName() + " has no option " + option;
        }
        continue;
      }
      CommandLine further = command.getSubcommands().get(each);
      if (further != null) {
        command = further;
        named = true;
      } else if (!named && !WORD.matcher(each).matches()) {
        return null; // such as the name of the program with its version
      } else if (isWord(command, each)) {
        return command.getCommandSpec().qualifiedName() + " has no command " + each;
      }
    }
    return null;
  }

  /// Whether a command is expected and a word stands there.
  private static boolean isWord(CommandLine command, String word) {
    return !command.getSubcommands().isEmpty()
        && command.getCommandSpec().positionalParameters().isEmpty()
        && WORD.matcher(word).matches();
  }
}
