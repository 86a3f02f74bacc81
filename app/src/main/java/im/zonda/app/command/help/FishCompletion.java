package im.zonda.app.command.help;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Writes the script by which fish completes commands and options.
public final class FishCompletion {
  private final StringBuilder out = new StringBuilder();
  private final String program;

  private FishCompletion(String program) {
    this.program = program;
  }

  /// The script for a command and its subcommands.
  public static String of(CommandLine root) {
    FishCompletion script = new FishCompletion(root.getCommandName());
    script.commands(root, "__fish_use_subcommand");
    new TreeMap<>(root.getSubcommands())
        .forEach((name, each) -> script.below(each, "__fish_seen_subcommand_from " + name));
    return script.out.toString();
  }

  private void below(CommandLine command, String seen) {
    options(command, seen);
    Map<String, CommandLine> children = new TreeMap<>(command.getSubcommands());
    if (children.isEmpty()) {
      return;
    }
    String names = String.join(" ", children.keySet());
    commands(command, seen + "; and not __fish_seen_subcommand_from " + names);
    children.forEach(
        (name, each) -> below(each, seen + "; and __fish_seen_subcommand_from " + name));
  }

  private void commands(CommandLine parent, String condition) {
    new TreeMap<>(parent.getSubcommands())
        .forEach((name, each) -> {
          String[] lines = each.getCommandSpec().usageMessage().description();
          out.append("complete -c ").append(program).append(" -f -n '").append(condition);
          out.append("' -a ").append(name).append(" -d ");
          out.append(quoted(lines.length == 0 ? "" : lines[0])).append('\n');
        });
  }

  private void options(CommandLine command, String condition) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.hidden() || !option.longestName().startsWith("--")) {
        continue;
      }
      out.append("complete -c ").append(program).append(" -n '").append(condition);
      out.append("' -l ").append(option.longestName().substring(2));
      out.append(option.arity().max() > 0 ? " -r" : "");
      if (option.completionCandidates() != null) {
        StringBuilder words = new StringBuilder();
        option.completionCandidates().forEach(word -> words.append(word).append(' '));
        out.append(words.isEmpty() ? "" : " -f -a " + quoted(words.toString().strip()));
      }
      String[] lines = option.description();
      out.append(" -d ").append(quoted(lines.length == 0 ? "" : lines[0])).append('\n');
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
