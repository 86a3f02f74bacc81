package im.zonda.app.command.help;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The list of commands in `zonda help`, in groups: what a newcomer needs comes first.
public final class CommandGroups {
  private static final int INDENT = 2;
  private static final String OTHER = "Other";

  private record Group(String name, List<String> commands) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group("First steps", List.of("start", "demo", "status", "doctor", "config")),
          new Group(
              "Accounts",
              List.of(
                  "user",
                  "account",
                  "provider",
                  "invite",
                  "invitation",
                  "circle",
                  "group",
                  "import",
                  "session",
                  "device",
                  "roster",
                  "archive",
                  "file")),
          new Group("Rooms and nodes", List.of("room", "node")),
          new Group("Messages to everyone", List.of("notice", "motd", "welcome")),
          new Group("Against abuse", List.of("ban", "login", "access-list", "report")),
          new Group("Hosts", List.of("host", "dns", "administrator")),
          new Group("Extensions", List.of("plugin")),
          new Group("Data", List.of("backup", "restore", "database", "store")),
          new Group(
              "Federation and cluster", List.of("s2s", "link", "component", "cluster", "edge")),
          new Group(
              "The running server",
              List.of(
                  "top",
                  "alarm",
                  "record",
                  "support-bundle",
                  "why",
                  "message",
                  "journal",
                  "trace",
                  "server",
                  "admin",
                  "job",
                  "log",
                  "cache",
                  "certificate",
                  "audit",
                  "token")),
          new Group("Measuring", List.of("bench")));

  private CommandGroups() {}

  /// The section of the help with the commands.
  public static String list(Help help) {
    int width =
        help.subcommands().keySet().stream().mapToInt(String::length).max().orElse(0) + 2 * INDENT;
    StringBuilder text = new StringBuilder();
    of(help.subcommands()).forEach((name, members) -> append(text, help, name, members, width));
    return text.toString();
  }

  /// Commands in groups, both in the order of the help. Those that are in no group are the last.
  static <T> Map<String, Map<String, T>> of(Map<String, T> commands) {
    Map<String, T> left = new LinkedHashMap<>(commands);
    Map<String, Map<String, T>> groups = new LinkedHashMap<>();
    for (Group group : GROUPS) {
      Map<String, T> members = new LinkedHashMap<>();
      for (String name : group.commands()) {
        T command = left.remove(name);
        if (command != null) {
          members.put(name, command);
        }
      }
      groups.put(group.name(), members);
    }
    groups.put(OTHER, left);
    return groups;
  }

  private static void append(
      StringBuilder text, Help help, String name, Map<String, Help> commands, int width) {
    if (commands.isEmpty()) {
      return;
    }
    int whole = help.commandSpec().usageMessage().width();
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(width, INDENT, Overflow.SPAN),
            new Column(whole - width, 0, Overflow.WRAP));
    commands.forEach((command, each) -> {
      UsageMessageSpec usage = each.commandSpec().usageMessage();
      String[] lines = usage.header().length == 0 ? usage.description() : usage.header();
      table.addRowValues(
          help.colorScheme().commandText(command),
          help.colorScheme().text(lines.length == 0 ? "" : lines[0]));
    });
    text.append(String.format("%n%s:%n", name)).append(table);
  }
}
