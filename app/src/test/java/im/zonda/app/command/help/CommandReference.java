package im.zonda.app.command.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The page that lists every command with its options, in the groups of `zonda help`.
public final class CommandReference {
  private static final String HEAD =
      """
      # Commands

      <!-- Generated from the command line; CONTRIBUTING.md says how. -->

      Every command, in the groups of `./zonda help`. `--help` after a command shows it with examples. Exit codes are 0 for
      success, 1 for a failure, 2 for a wrong command line or configuration. [operations.md](operations.md) has the HTTP
      routes and rights of the same; a source tree has further words such as `./zonda test`
      ([building](../../CONTRIBUTING.md#building-and-testing)). An option that many commands have is explained once, in a
      table, and only named below.
      """;

  private static final String TABLE = "\n| option | meaning |\n|---|---|\n";

  /// An option that this many commands have is explained once.
  private static final int MANY = 6;

  /// The most commands that a sentence names as those without an option that all others have.
  private static final int EXCEPTIONS = 10;

  /// The first words of commands, at the least, by which an option is one of all commands.
  private static final int WIDE = 3;

  /// A parameter or an option.
  ///
  /// @param label as it is written
  private record Argument(String label, String about) {
    String item() {
      return "`" + label + "`: " + about;
    }

    String row() {
      return "| `" + label.replace("|", "\\|") + "` | " + about.replace("|", "\\|") + " |\n";
    }

    /// The longest name.
    String name() {
      String names = label.substring(Math.max(0, label.lastIndexOf("--")));
      int end = names.indexOf(' ');
      return end < 0 ? names : names.substring(0, end);
    }
  }

  /// A command that does something.
  ///
  /// @param words its words, without `zonda`
  private record Entry(
      List<String> words, String about, List<Argument> parameters, Set<Argument> options) {
    String path() {
      return "zonda " + String.join(" ", words);
    }

    /// Whether another command does the same, with some of the options.
    boolean extendsOther(Entry other) {
      return !words.equals(other.words)
          && about.equals(other.about)
          && parameters.equals(other.parameters)
          && options.containsAll(other.options);
    }
  }

  private final StringBuilder page = new StringBuilder(HEAD);
  private final List<Entry> entries = new ArrayList<>();
  private final Set<Argument> shared = new LinkedHashSet<>();

  /// Those that nearly every command has.
  private final Set<Argument> usual = new LinkedHashSet<>();

  private CommandReference() {}

  /// The page.
  ///
  /// @param root the command `zonda`
  public static String markdown(CommandLine root) {
    CommandReference reference = new CommandReference();
    root.getSubcommands().forEach((name, each) -> reference.collect(List.of(name), each));
    reference.share();
    CommandGroups.of(root.getSubcommands())
        .forEach((group, members) -> {
          reference.page.append("\n## ").append(group).append('\n');
          members.forEach(reference::topic);
        });
    return reference.page.toString();
  }

  private void collect(List<String> words, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    Set<Argument> options = new LinkedHashSet<>();
    for (OptionSpec each : spec.options()) {
      if (!each.hidden() && !each.usageHelp()) {
        options.add(new Argument(label(each), about(each)));
      }
    }
    if (command.getSubcommands().isEmpty() || !options.isEmpty()) {
      List<Argument> parameters = new ArrayList<>();
      for (PositionalParamSpec each : spec.positionalParameters()) {
        if (!each.hidden()) {
          parameters.add(new Argument(label(each), about(each)));
        }
      }
      entries.add(new Entry(words, about(spec), parameters, options));
    }
    command
        .getSubcommands()
        .forEach((name, each) -> {
          List<String> further = new ArrayList<>(words);
          further.add(name);
          collect(further, each);
        });
  }

  /// Writes the table of the options that commands of several topics share.
  private void share() {
    Map<Argument, Set<String>> topics = new LinkedHashMap<>();
    for (Entry entry : entries) {
      for (Argument option : entry.options) {
        topics.computeIfAbsent(option, _ -> new HashSet<>()).add(entry.words.getFirst());
      }
    }
    topics.forEach((option, of) -> {
      if (of.size() >= WIDE && users(entries, option) >= MANY) {
        shared.add(option);
      }
    });
    page.append(TABLE);
    Map<String, List<String>> but = new LinkedHashMap<>();
    for (Argument option : shared) {
      page.append(option.row());
      Set<String> without = without(option);
      if (without.size() <= EXCEPTIONS) {
        usual.add(option);
        String names = String.join(", ", without);
        but.computeIfAbsent(names, _ -> new ArrayList<>()).add("`" + option.name() + "`");
      }
    }
    but.forEach((without, options) ->
        page.append(
            "\nAll commands but %s have %s; these are not named below.\n"
                .formatted(without, String.join(" and ", options))));
  }

  /// The commands that do not have an option, by their first word if none with that word has it.
  private Set<String> without(Argument option) {
    Set<String> names = new LinkedHashSet<>();
    for (Entry entry : entries) {
      String word = entry.words.getFirst();
      if (entry.options.contains(option)) {
        continue;
      }
      boolean whole =
          entries.stream()
              .noneMatch(
                  each -> each.words.getFirst().equals(word) && each.options.contains(option));
      names.add("`" + (whole ? word : String.join(" ", entry.words)) + "`");
    }
    return names;
  }

  private static long users(List<Entry> among, Argument option) {
    return among.stream().filter(each -> each.options.contains(option)).count();
  }

  /// Writes the commands that begin with a word.
  private void topic(String word, CommandLine command) {
    List<Entry> own = entries.stream().filter(each -> each.words.getFirst().equals(word)).toList();
    page.append("\n### ").append(word).append("\n\n");
    page.append(about(command.getCommandSpec())).append('\n');
    Set<Argument> inTopic = new LinkedHashSet<>();
    for (Entry each : own) {
      for (Argument option : each.options) {
        long users = users(own, option);
        if (!shared.contains(option) && users >= MANY && users * 2 > own.size()) {
          inTopic.add(option);
        }
      }
    }
    if (!inTopic.isEmpty()) {
      page.append(TABLE);
      inTopic.forEach(option -> page.append(option.row()));
    }
    page.append('\n');
    own.forEach(each -> entry(each, inTopic));
  }

  private void entry(Entry entry, Set<Argument> inTopic) {
    Entry other =
        entries.stream()
            .filter(entry::extendsOther)
            .filter(each -> each.words.size() <= entry.words.size())
            .min(
                Comparator.comparingInt((Entry each) -> each.words.size())
                    .thenComparing(Entry::path))
            .filter(each -> !each.extendsOther(entry) || each.path().compareTo(entry.path()) < 0)
            .orElse(null);
    page.append("- `").append(entry.path());
    entry.parameters.forEach(each -> page.append(' ').append(each.label));
    page.append("`: ");
    Set<Argument> options = new LinkedHashSet<>(entry.options);
    if (other == null) {
      page.append(entry.words.size() == 1 ? "" : entry.about + " ");
      also(options, inTopic);
      entry.parameters.forEach(this::item);
    } else {
      page.append("as `").append(other.path()).append("`.\n");
      options.removeAll(other.options);
    }
    options.removeAll(shared);
    options.removeAll(inTopic);
    options.forEach(this::item);
  }

  /// Names the options that are explained elsewhere, and ends the line.
  private void also(Set<Argument> options, Set<Argument> inTopic) {
    Set<Argument> rest = new LinkedHashSet<>(options);
    String all = "";
    if (!inTopic.isEmpty() && rest.containsAll(inTopic)) {
      rest.removeAll(inTopic);
      all = "the options of the table";
    }
    String names =
        rest.stream()
            .filter(each -> shared.contains(each) || inTopic.contains(each))
            .filter(each -> !usual.contains(each))
            .map(each -> "`" + each.name() + "`")
            .collect(Collectors.joining(", "));
    String both = all.isEmpty() || names.isEmpty() ? all + names : all + ", " + names;
    page.append(both.isEmpty() ? "" : "Also " + both + ".");
    while (" :".indexOf(page.charAt(page.length() - 1)) >= 0) {
      page.setLength(page.length() - 1);
    }
    page.append('\n');
  }

  private void item(Argument argument) {
    page.append("  - ").append(argument.item()).append('\n');
  }

  private static String label(OptionSpec option) {
    String names = String.join(", ", option.names());
    if (option.negatable()) {
      names = names.replaceFirst("--", "--[no-]");
    }
    return option.arity().max() == 0 ? names : names + " " + value(option);
  }

  private static String label(PositionalParamSpec parameter) {
    String value = value(parameter);
    String several = parameter.arity().max() > 1 ? value + "…" : value;
    return parameter.arity().min() > 0 ? several : "[" + several + "]";
  }

  /// Without a label picocli writes the name of a field in angle brackets.
  private static String value(ArgSpec argument) {
    String label = argument.paramLabel();
    return label.startsWith("<") ? "VALUE" : label;
  }

  private static String about(ArgSpec argument) {
    String usual = argument.defaultValue();
    String about =
        plain(argument.description()).replace("${DEFAULT-VALUE}", usual == null ? "" : usual);
    boolean must = argument.isOption() && argument.required();
    return must ? about + " Required." : about;
  }

  private static String about(CommandSpec spec) {
    UsageMessageSpec usage = spec.usageMessage();
    return plain(usage.description().length == 0 ? usage.header() : usage.description());
  }

  private static String plain(String[] lines) {
    return Arrays.stream(lines)
        .map(each -> each.replace("%n", " ").replace("%%", "%").strip())
        .filter(each -> !each.isEmpty())
        .collect(Collectors.joining(" "));
  }
}
