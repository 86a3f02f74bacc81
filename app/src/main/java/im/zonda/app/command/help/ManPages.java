package im.zonda.app.command.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Writes manual pages: one of the program, and one of each of its commands with those below it.
public final class ManPages {
  private final StringBuilder out = new StringBuilder();

  private ManPages() {}

  /// The pages by the names of their files, such as `zonda-user.1`.
  ///
  /// @param version the version of the program
  public static SortedMap<String, String> of(CommandLine root, String version) {
    SortedMap<String, String> pages = new TreeMap<>();
    pages.put(name(root) + ".1", page(root, version, List.of()));
    root.getSubcommands()
        .values()
        .forEach(each -> pages.put(name(each) + ".1", page(each, version, leaves(each))));
    return pages;
  }

  private static String page(CommandLine command, String version, List<CommandLine> below) {
    ManPages page = new ManPages();
    CommandSpec spec = command.getCommandSpec();
    String title = name(command);
    page.out.append(".TH ").append(title.toUpperCase(Locale.ROOT));
    page.out.append(" 1 \"\" \"zonda ").append(version).append("\" \"Zonda\"\n");
    page.section("NAME");
    page.text(title + " - " + summary(spec));
    page.section("SYNOPSIS");
    page.synopsis(command);
    page.section("DESCRIPTION");
    page.description(spec);
    page.arguments(command, "OPTIONS");
    if (!below.isEmpty()) {
      page.section("COMMANDS");
      below.forEach(page::command);
    } else if (!command.getSubcommands().isEmpty()) {
      page.section("COMMANDS");
      new TreeMap<>(command.getSubcommands())
          .forEach((name, each) -> page.item(name, List.of(summary(each.getCommandSpec()))));
    }
    page.footer(spec);
    return page.out.toString();
  }

  /// The commands below a command that have none below themselves, in order.
  private static List<CommandLine> leaves(CommandLine command) {
    List<CommandLine> leaves = new ArrayList<>();
    for (CommandLine each : new TreeMap<>(command.getSubcommands()).values()) {
      leaves.addAll(each.getSubcommands().isEmpty() ? List.of(each) : leaves(each));
    }
    return leaves;
  }

  private void command(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    out.append(".SS ").append(escaped(spec.qualifiedName())).append('\n');
    synopsis(command);
    out.append(".PP\n");
    description(spec);
    arguments(command, "");
    footer(spec);
  }

  private void section(String name) {
    out.append(".SH ").append(name).append('\n');
  }

  private void text(String line) {
    String escaped = escaped(line);
    boolean isRequest = escaped.startsWith(".") || escaped.startsWith("'");
    out.append(isRequest ? "\\&" : "").append(escaped).append('\n');
  }

  private void synopsis(CommandLine command) {
    Help help =
        new Help(command.getCommandSpec(), Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    text(help.synopsis(0).replaceAll("\\s+", " ").strip());
  }

  private void description(CommandSpec spec) {
    for (String line : spec.usageMessage().description()) {
      text(plain(line));
    }
  }

  /// The options and parameters that are shown, apart from `--help`, which all commands have.
  private void arguments(CommandLine command, String title) {
    CommandSpec spec = command.getCommandSpec();
    List<OptionSpec> options =
        spec.options().stream()
            .filter(each -> !each.hidden() && (!each.usageHelp() || !title.isEmpty()))
            .toList();
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!title.isEmpty() && !(options.isEmpty() && parameters.isEmpty())) {
      section(title);
    }
    parameters.forEach(each -> item(each.paramLabel(), described(each)));
    options.forEach(each -> {
      boolean hasValue = each.arity().max() > 0;
      item(
          String.join(", ", each.names()) + (hasValue ? " " + each.paramLabel() : ""),
          described(each));
    });
  }

  private static List<String> described(ArgSpec argument) {
    return List.of(argument.description());
  }

  private void item(String term, List<String> lines) {
    out.append(".TP\n.B ").append(escaped(term)).append('\n');
    if (lines.isEmpty()) {
      out.append("\\&\n");
    }
    lines.forEach(line -> text(plain(line)));
  }

  /// The last lines of the help, which are examples most of the time, as they are.
  private void footer(CommandSpec spec) {
    String[] lines = spec.usageMessage().footer();
    if (lines.length == 0) {
      return;
    }
    out.append(".PP\n.nf\n");
    for (String line : lines) {
      if (!line.isEmpty()) {
        text(plain(line));
      }
    }
    out.append(".fi\n");
  }

  private static String summary(CommandSpec spec) {
    String[] lines = spec.usageMessage().description();
    String first = lines.length == 0 ? spec.name() : plain(lines[0]);
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /// A text without picocli's formats.
  private static String plain(String text) {
    return text.replace("%n", " ").replace("%%", "%");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
